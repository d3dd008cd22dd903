const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** The keywords of PostgreSQL 15: `select word from pg_get_keywords()`. */
export const postgresKeywords = wordsOf(`
  abort absolute access action add admin after aggregate all also alter always analyse analyze and any array as
  asc asensitive assertion assignment asymmetric at atomic attach attribute authorization backward before begin
  between bigint binary bit boolean both breadth by cache call called cascade cascaded case cast catalog chain
  char character characteristics check checkpoint class close cluster coalesce collate collation column columns
  comment comments commit committed compression concurrently configuration conflict connection constraint
  constraints content continue conversion copy cost create cross csv cube current current_catalog current_date
  current_role current_schema current_time current_timestamp current_user cursor cycle data database day
  deallocate dec decimal declare default defaults deferrable deferred definer delete delimiter delimiters
  depends depth desc detach dictionary disable discard distinct do document domain double drop each else enable
  encoding encrypted end enum escape event except exclude excluding exclusive execute exists explain expression
  extension external extract false family fetch filter finalize first float following for force foreign forward
  freeze from full function functions generated global grant granted greatest group grouping groups handler
  having header hold hour identity if ilike immediate immutable implicit import in include including increment
  index indexes inherit inherits initially inline inner inout input insensitive insert instead int integer
  intersect interval into invoker is isnull isolation join key label language large last lateral leading
  leakproof least left level like limit listen load local localtime localtimestamp location lock locked logged
  mapping match matched materialized maxvalue merge method minute minvalue mode month move name names national
  natural nchar new next nfc nfd nfkc nfkd no none normalize normalized not nothing notify notnull nowait null
  nullif nulls numeric object of off offset oids old on only operator option options or order ordinality others
  out outer over overlaps overlay overriding owned owner parallel parameter parser partial partition passing
  password placing plans policy position preceding precision prepare prepared preserve primary prior privileges
  procedural procedure procedures program publication quote range read real reassign recheck recursive ref
  references referencing refresh reindex relative release rename repeatable replace replica reset restart
  restrict return returning returns revoke right role rollback rollup routine routines row rows rule savepoint
  schema schemas scroll search second security select sequence sequences serializable server session
  session_user set setof sets share show similar simple skip smallint snapshot some sql stable standalone start
  statement statistics stdin stdout storage stored strict strip subscription substring support symmetric sysid
  system table tables tablesample tablespace temp template temporary text then ties time timestamp to trailing
  transaction transform treat trigger trim true truncate trusted type types uescape unbounded uncommitted
  unencrypted union unique unknown unlisten unlogged until update user using vacuum valid validate validator
  value values varchar variadic varying verbose version view views volatile when where whitespace window with
  within without work wrapper write xml xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces
  xmlparse xmlpi xmlroot xmlserialize xmltable year yes zone
`);

/** The keywords of SQLite: https://www.sqlite.org/lang_keywords.html */
const sqliteKeywords = wordsOf(`
  abort action add after all alter always analyze and as asc attach autoincrement before begin between by
  cascade case cast check collate column commit conflict constraint create cross current current_date
  current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each
  else end escape except exclude exclusive exists explain fail filter first following for foreign from full
  generated glob group groups having if ignore immediate in index indexed initially inner insert instead
  intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null
  nulls of offset on or order others outer over partition plan pragma preceding primary query raise range
  recursive references regexp reindex release rename replace restrict returning right rollback row rows
  savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using
  vacuum values view virtual when where window with without
`);

/** Words with a meaning elsewhere: names that databases, JavaScript, TypeScript, YAML, OpenAPI and our own code give. */
const otherWords = wordsOf(`
  abs abstract accept accessor actual additional_properties after alias all_of anchor anchors any any_element
  any_of api app arguments array array_agg array_buffer as asserts async at atob attname avg await awaited
  big_int bigint blob bool boolean bpchar break btoa buffer byte bytea callbacks capitalize case catch changed
  changes char cid cidr class clear_timeout coalesce code comment components console const constraint_name
  constructor_name contact contains content continue converted cookie count counted counters creatable create
  crypto ctid_x data data_view database date datetime dbstat debugger declare decode_uri default default_value
  defs delete dense_rank deprecated description detail dirname discriminator do doc docid document double
  dynamic_ref else encoding enum env error errors eval event example examples exclude explode export exports
  extends external_docs extract false fetch field fields file filename final finally float float4 float8 for
  form_data format fts5 function generate_series generated generator get given global global_this goto handlers
  has_more has_own_property header headers helper hex hidden hono id_value ids idx if iif implements import in
  index inet inf infer infinity info information_schema initially_null instance instance_type instanceof int
  int2 int4 int8 interface intl intrinsic is is_prototype_of item items iterable iterator joined json json_agg
  json_array json_build_array json_extract json_group_array json_group_object json_object json_tree jsonb
  julianday keyof kind lag last lead left_pad length let license limit line_item links list long lowercase main
  map mapping math max maximum media_type merge message meta min minimum module money n na_n name namespace nan
  native navigator never new no no_infer non_nullable not now nspname null nullable number object of off offset
  oid old omit on one_of openapi operation_id optional out override p package page parameters parent parent_id
  parse_int partial path paths pattern performance pg pick position postgres printf private problem_type process
  promise properties property_key protected proxy public q query queue_microtask quote r random rank read_only
  readonly readonly_array record ref reflect reg_exp regclass regnamespace relname renamed reorder request
  request_body require required response responses retrieve return return_type routes row row_counter row_number
  row_to_json rowid rows rtree runtime satisfies scalar schema schemas security self sequence serial server
  servers service set set_timeout shard short singleton spec sqlite_like static status stdin stored strftime
  strict string string_agg structured_clone style substr sum summary super switch symbol synchronized t table
  tables tag tags test text_decoder text_encoder tgname then this throw throws tid time title to_json to_string
  toast total transient transition true try tsquery tsvector type typeof u uint8_array undefined unevaluated
  unique unknown unnest updatable update uppercase url using uuid v value_of var version vocabulary void
  volatile weak_map weak_ref weak_set web_assembly web_socket webhooks while window with writable_stream
  write_only x xid xml y yes yield z
`);

/** The names that fields cannot have, whatever their resource: those are built in. */
const builtIn = new Set(['id', 'idx', 'created_at', 'updated_at']);

/** Words as names of fields and resources: all that the language takes. */
export const keywords: readonly string[] = [...new Set([...postgresKeywords, ...sqliteKeywords, ...otherWords])].filter(
  (word) => !builtIn.has(word),
);
