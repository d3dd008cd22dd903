CREATE TABLE _answer (
    _organization bigint NOT NULL,
    owner text NOT NULL,
    key text NOT NULL,
    digest text NOT NULL,
    "time" text NOT NULL,
    answer text NOT NULL
);
CREATE TABLE _api_key (
    id text NOT NULL,
    _organization bigint NOT NULL,
    digest text NOT NULL,
    name text NOT NULL,
    scopes text NOT NULL,
    rate text,
    created_at text NOT NULL,
    expires_at text,
    revoked_at text,
    last_used_at text
);
CREATE TABLE _delivery (
    _organization bigint NOT NULL,
    webhook text NOT NULL,
    event bigint NOT NULL,
    type text NOT NULL,
    record text NOT NULL,
    state text NOT NULL,
    attempts bigint NOT NULL,
    queued bigint NOT NULL,
    at bigint NOT NULL,
    answer text,
    duration bigint
);
CREATE TABLE _event (
    _organization bigint NOT NULL,
    number bigint,
    noted_at bigint,
    "time" text NOT NULL,
    actor text,
    request_id text,
    operation text NOT NULL,
    resource text NOT NULL,
    record text NOT NULL,
    version bigint NOT NULL,
    changes text NOT NULL
);
CREATE TABLE _lease (
    name text NOT NULL,
    holder text NOT NULL,
    until bigint NOT NULL
);
CREATE TABLE _organization (
    id bigint NOT NULL,
    name text,
    created_at text,
    deleted_at text
);
CREATE TABLE _required_column (
    name text NOT NULL
);
CREATE TABLE _row_counter (
    _organization bigint NOT NULL,
    "table" text NOT NULL,
    parent text NOT NULL,
    shard bigint NOT NULL,
    count bigint NOT NULL
);
CREATE TABLE _webhook (
    id text NOT NULL,
    _organization bigint NOT NULL,
    url text NOT NULL,
    secret text NOT NULL,
    filter text NOT NULL,
    state text NOT NULL,
    why text,
    "position" bigint NOT NULL,
    created_at text NOT NULL
);
CREATE TABLE boat (
    _organization bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text,
    mooring text,
    built_on text,
    checked_at text,
    opens_at text,
    serial text,
    contact text,
    manual text,
    seats bigint DEFAULT 4,
    length double precision,
    is_ready boolean DEFAULT true,
    price numeric,
    weather text,
    tags json,
    depths json DEFAULT '[1,2]'::json,
    seen_at text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    _version bigint DEFAULT 1 NOT NULL
);
CREATE TABLE club_settings (
    _organization bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    season text DEFAULT 'summer'::text,
    rate numeric,
    is_open boolean DEFAULT false,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    _version bigint DEFAULT 1 NOT NULL
);
CREATE TABLE member (
    _organization bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text,
    email text,
    card text,
    team text,
    number bigint,
    born_on text,
    notes text,
    sponsor_id text COLLATE pg_catalog."C",
    level text DEFAULT 'guest'::text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    _search tsvector,
    _email_folded text,
    _version bigint DEFAULT 1 NOT NULL
);
CREATE TABLE trip (
    _organization bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    title text,
    member_id text COLLATE pg_catalog."C",
    boat_id text COLLATE pg_catalog."C",
    status text DEFAULT 'planned'::text,
    legs bigint,
    fee numeric,
    started_at text,
    started_by text,
    created_at text NOT NULL,
    updated_at text NOT NULL,
    _version bigint DEFAULT 1 NOT NULL
);
CREATE TABLE trip_leg (
    _organization bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    idx bigint,
    trip_id text,
    place text,
    fee numeric,
    tax numeric,
    _version bigint DEFAULT 1 NOT NULL
);
INSERT INTO _answer VALUES
	(1, 'RPaIZXa2Mx', 'once', '63339718cb835d2dbf2291a6201b844001a5409206b6b4d6e98708f1ff510bba', '2026-11-27T21:04:40.248Z', '{"result":{"outcome":"written","json":381,"version":1},"ids":["boat_01M8FD65SR0005FF3615MGJA0Q"]}
{"id":"boat_01M8FD65SR0005FF3615MGJA0Q","name":"Raft","mooring":"East quay","built_on":null,"checked_at":null,"opens_at":null,"serial":null,"contact":null,"manual":null,"seats":4,"length":null,"is_ready":true,"price":null,"weather":null,"tags":null,"depths":[1,2],"seen_at":"2026-11-27T21:04:40.248Z","created_at":"2026-11-27T21:04:40.248Z","updated_at":"2026-11-27T21:04:40.248Z"}');
INSERT INTO _api_key VALUES
	('odrmDWApII', 1, '3cf61fc3ba98ab4ab447720572d9003eac44236c333640b37fb0d1de9aac5da1', 'Lost', '*', NULL, '2026-11-27T21:04:18.360Z', NULL, '2026-11-27T21:04:25.371Z', NULL),
	('RPaIZXa2Mx', 1, '2625907413e86333e956c64c823f7f3e276c51bf321a539bd65a4591412eedbf', 'Office', '*', '6000/m', '2026-11-27T21:04:05.371Z', NULL, NULL, '2026-11-27T21:04:54.656Z'),
	('a4nKAUVeEW', 2, '03f7772d1a1c5f412dbbbf071b15b461cb784c04680649c818936e79ccd98814', 'Port', 'club', NULL, '2026-11-27T21:04:12.274Z', NULL, NULL, '2026-11-27T21:04:55.551Z');
INSERT INTO _delivery VALUES
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 25, 'club/trip.finish', 'trip_01M8FD63AX000C17TF431DA9T4', 'waiting', 0, 1795813480115, 9007199254740991, NULL, NULL),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 1, 'club/member.create', 'member_01M8FD62400009DZV5XPQ1YTG2', 'delivered', 1, 1795813480115, 1795813480656, '204', 163),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 2, 'club/member.create', 'member_01M8FD62RW0000E7M4T0D07H8W', 'delivered', 1, 1795813480115, 1795813480656, '204', 163),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 3, 'club/member.create', 'member_01M8FD62V20003Q6TYM71YY462', 'delivered', 1, 1795813480115, 1795813480656, '204', 146),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 7, 'club/trip.create', 'trip_01M8FD63AX000C17TF431DA9T4', 'delivered', 1, 1795813480115, 1795813480656, '204', 125),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 16, 'club/trip.create', 'trip_01M8FD64900000PHXPKPVDPDT9', 'delivered', 1, 1795813480115, 1795813480656, '204', 125),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 21, 'club/trip.create', 'trip_01M8FD64RQ000AD5CS6QG92WFF', 'delivered', 1, 1795813480115, 1795813480656, '204', 124),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 9, 'club/trip.update', 'trip_01M8FD63AX000C17TF431DA9T4', 'delivered', 1, 1795813480115, 1795813480787, '204', 27),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 18, 'club/trip.update', 'trip_01M8FD64900000PHXPKPVDPDT9', 'delivered', 1, 1795813480115, 1795813480787, '204', 18),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 23, 'club/trip.update', 'trip_01M8FD64RQ000AD5CS6QG92WFF', 'delivered', 1, 1795813480115, 1795813480787, '204', 5),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 11, 'club/trip.update', 'trip_01M8FD63AX000C17TF431DA9T4', 'delivered', 1, 1795813480115, 1795813480899, '204', 2),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 20, 'club/trip.update', 'trip_01M8FD64900000PHXPKPVDPDT9', 'delivered', 1, 1795813480115, 1795813480899, '204', 2),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 27, 'club/trip.delete', 'trip_01M8FD64RQ000AD5CS6QG92WFF', 'delivered', 1, 1795813480115, 1795813480899, '204', 2),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 13, 'club/trip.update', 'trip_01M8FD63AX000C17TF431DA9T4', 'delivered', 1, 1795813480115, 1795813494660, '204', 13475),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 26, 'club/trip.update', 'trip_01M8FD64900000PHXPKPVDPDT9', 'delivered', 1, 1795813480115, 1795813494660, '204', 13483),
	(1, 'webhook_01M8FD602Z0002HCTPWYS64E3V', 24, 'club/trip.start', 'trip_01M8FD63AX000C17TF431DA9T4', 'waiting', 0, 1795813480115, 1795813494660, NULL, NULL);
INSERT INTO _event VALUES
	(2, NULL, 1795813477371818, '2026-11-27T21:04:37.334Z', 'a4nKAUVeEW', 'HpxKxlMo-4', 'create', 'club/member', 'member_01M8FD62YP000ENV30CCXHCYP6', 1, '{"id":[null,"member_01M8FD62YP000ENV30CCXHCYP6"],"name":[null,"Eve"],"email":[null,"zoe@example.com"],"card":[null,"AB123"],"level":[null,"guest"],"created_at":[null,"2026-11-27T21:04:37.334Z"],"updated_at":[null,"2026-11-27T21:04:37.334Z"]}'),
	(1, 4, 1795813477568515, '2026-11-27T21:04:37.541Z', 'RPaIZXa2Mx', 'HpxKxlMo-5', 'create', 'club/boat', 'boat_01M8FD6355000DX3G9PR5P2404', 1, '{"id":[null,"boat_01M8FD6355000DX3G9PR5P2404"],"name":[null,"Dinghy"],"seats":[null,4],"is_ready":[null,true],"depths":[null,[1,2]],"seen_at":[null,"2026-05-05T05:05:05.000Z"],"created_at":[null,"2026-11-27T21:04:37.541Z"],"updated_at":[null,"2026-11-27T21:04:37.541Z"]}'),
	(1, 5, 1795813477657315, '2026-11-27T21:04:37.629Z', 'RPaIZXa2Mx', 'HpxKxlMo-6', 'create', 'club/boat', 'boat_01M8FD637W0002X3BMK1CN0462', 1, '{"id":[null,"boat_01M8FD637W0002X3BMK1CN0462"],"name":[null,"\"Zoë\" ''Ωμ'' 🙂 \\ %s\n\t"],"mooring":[null,"North quay"],"built_on":[null,"1999-12-31"],"checked_at":[null,"2026-03-01T08:00:00.500Z"],"opens_at":[null,"06:00:00Z"],"serial":[null,"9f86d081-884c-4d65-9a2f-000000000001"],"contact":[null,"harbour@example.com"],"manual":[null,"https://example.com/boat?a=b&c=%22"],"seats":[null,9007199254740991],"length":[null,1e-7],"is_ready":[null,false],"price":[null,"9999999999.99"],"weather":[null,"windy"],"tags":[null,["fast","a \"b\", c","ß"]],"depths":[null,[0,12]],"seen_at":[null,"2026-05-05T05:05:05.000Z"],"created_at":[null,"2026-11-27T21:04:37.628Z"],"updated_at":[null,"2026-11-27T21:04:37.628Z"]}'),
	(1, 6, 1795813477675128, '2026-11-27T21:04:37.673Z', 'RPaIZXa2Mx', 'HpxKxlMo-7', 'create', 'club/boat', 'boat_01M8FD639900098DYASPD7MM6C', 1, '{"id":[null,"boat_01M8FD639900098DYASPD7MM6C"],"name":[null,"Canoe"],"mooring":[null,""],"seats":[null,2],"length":[null,-0.1],"is_ready":[null,true],"price":[null,"-0.50"],"weather":[null,"calm"],"tags":[null,[]],"seen_at":[null,"2026-05-05T05:05:05.000Z"],"created_at":[null,"2026-11-27T21:04:37.673Z"],"updated_at":[null,"2026-11-27T21:04:37.673Z"]}'),
	(1, 30, 1795813480303177, '2026-11-27T21:04:40.248Z', 'RPaIZXa2Mx', 'HpxKxlMo-o', 'create', 'club/boat', 'boat_01M8FD65SR0005FF3615MGJA0Q', 1, '{"id":[null,"boat_01M8FD65SR0005FF3615MGJA0Q"],"name":[null,"Raft"],"mooring":[null,"East quay"],"seats":[null,4],"is_ready":[null,true],"depths":[null,[1,2]],"seen_at":[null,"2026-11-27T21:04:40.248Z"],"created_at":[null,"2026-11-27T21:04:40.248Z"],"updated_at":[null,"2026-11-27T21:04:40.248Z"]}'),
	(1, 29, 1795813480137307, '2026-11-27T21:04:40.100Z', 'RPaIZXa2Mx', 'HpxKxlMo-n', 'update', 'club/club-settings', 'club_settings_01M8FD4PZJ00057Y01BA6CJWVB', 2, '{"season":["summer","winter"],"rate":[null,"19.50"],"updated_at":["2026-11-27T21:03:52.306Z","2026-11-27T21:04:40.100Z"]}'),
	(1, 1, 1795813476878332, '2026-11-27T21:04:36.481Z', 'RPaIZXa2Mx', 'HpxKxlMo-1', 'create', 'club/member', 'member_01M8FD62400009DZV5XPQ1YTG2', 1, '{"id":[null,"member_01M8FD62400009DZV5XPQ1YTG2"],"name":[null,"Zoë Ångström"],"email":[null,"Zoe@Example.com"],"card":[null,"AB123"],"team":[null,"red"],"number":[null,1],"level":[null,"guest"],"created_at":[null,"2026-11-27T21:04:36.480Z"],"updated_at":[null,"2026-11-27T21:04:36.480Z"]}'),
	(1, 2, 1795813477189755, '2026-11-27T21:04:37.148Z', 'RPaIZXa2Mx', 'HpxKxlMo-2', 'create', 'club/member', 'member_01M8FD62RW0000E7M4T0D07H8W', 1, '{"id":[null,"member_01M8FD62RW0000E7M4T0D07H8W"],"name":[null,"Ada"],"team":[null,"red"],"born_on":[null,"2001-02-03"],"sponsor_id":[null,"member_01M8FD62400009DZV5XPQ1YTG2"],"level":[null,"full"],"created_at":[null,"2026-11-27T21:04:37.148Z"],"updated_at":[null,"2026-11-27T21:04:37.148Z"]}'),
	(1, 3, 1795813477219617, '2026-11-27T21:04:37.218Z', 'RPaIZXa2Mx', 'HpxKxlMo-3', 'create', 'club/member', 'member_01M8FD62V20003Q6TYM71YY462', 1, '{"id":[null,"member_01M8FD62V20003Q6TYM71YY462"],"name":[null,"Bob"],"email":[null,"bob@example.com"],"born_on":[null,"1980-01-01"],"notes":[null,"rows, sails"],"level":[null,"guest"],"created_at":[null,"2026-11-27T21:04:37.218Z"],"updated_at":[null,"2026-11-27T21:04:37.218Z"]}'),
	(1, 7, 1795813477799722, '2026-11-27T21:04:37.725Z', 'RPaIZXa2Mx', 'HpxKxlMo-8', 'create', 'club/trip', 'trip_01M8FD63AX000C17TF431DA9T4', 1, '{"id":[null,"trip_01M8FD63AX000C17TF431DA9T4"],"title":[null,"Round the lake"],"member_id":[null,"member_01M8FD62400009DZV5XPQ1YTG2"],"boat_id":[null,"boat_01M8FD6355000DX3G9PR5P2404"],"status":[null,"planned"],"legs":[null,0],"fee":[null,"0.00"],"created_at":[null,"2026-11-27T21:04:37.725Z"],"updated_at":[null,"2026-11-27T21:04:37.725Z"]}'),
	(1, 9, 1795813477942172, '2026-11-27T21:04:37.886Z', 'RPaIZXa2Mx', 'HpxKxlMo-9', 'update', 'club/trip', 'trip_01M8FD63AX000C17TF431DA9T4', 2, '{"legs":[0,1],"fee":["0.00","12.50"],"updated_at":["2026-11-27T21:04:37.725Z","2026-11-27T21:04:37.886Z"]}'),
	(1, 11, 1795813478181025, '2026-11-27T21:04:38.107Z', 'RPaIZXa2Mx', 'HpxKxlMo-a', 'update', 'club/trip', 'trip_01M8FD63AX000C17TF431DA9T4', 3, '{"legs":[1,2],"fee":["12.50","25.00"],"updated_at":["2026-11-27T21:04:37.886Z","2026-11-27T21:04:38.107Z"]}'),
	(1, 13, 1795813478324007, '2026-11-27T21:04:38.307Z', 'RPaIZXa2Mx', 'HpxKxlMo-b', 'update', 'club/trip', 'trip_01M8FD63AX000C17TF431DA9T4', 4, '{"legs":[2,3],"fee":["25.00","37.50"],"updated_at":["2026-11-27T21:04:38.107Z","2026-11-27T21:04:38.307Z"]}'),
	(1, 24, 1795813479496515, '2026-11-27T21:04:39.465Z', 'RPaIZXa2Mx', 'HpxKxlMo-i', 'start', 'club/trip', 'trip_01M8FD63AX000C17TF431DA9T4', 5, '{"status":["planned","under_way"],"started_at":[null,"2026-11-27T21:04:39.464Z"],"started_by":[null,"RPaIZXa2Mx"],"updated_at":["2026-11-27T21:04:38.307Z","2026-11-27T21:04:39.464Z"]}'),
	(1, 25, 1795813479645836, '2026-11-27T21:04:39.570Z', 'RPaIZXa2Mx', 'HpxKxlMo-j', 'finish', 'club/trip', 'trip_01M8FD63AX000C17TF431DA9T4', 6, '{"status":["under_way","over"],"updated_at":["2026-11-27T21:04:39.464Z","2026-11-27T21:04:39.570Z"]}'),
	(1, 16, 1795813478724143, '2026-11-27T21:04:38.688Z', 'RPaIZXa2Mx', 'HpxKxlMo-d', 'create', 'club/trip', 'trip_01M8FD64900000PHXPKPVDPDT9', 1, '{"id":[null,"trip_01M8FD64900000PHXPKPVDPDT9"],"title":[null,"To the sea"],"member_id":[null,"member_01M8FD62400009DZV5XPQ1YTG2"],"boat_id":[null,"boat_01M8FD637W0002X3BMK1CN0462"],"status":[null,"planned"],"legs":[null,0],"fee":[null,"0.00"],"created_at":[null,"2026-11-27T21:04:38.688Z"],"updated_at":[null,"2026-11-27T21:04:38.688Z"]}'),
	(1, 18, 1795813478907257, '2026-11-27T21:04:38.787Z', 'RPaIZXa2Mx', 'HpxKxlMo-e', 'update', 'club/trip', 'trip_01M8FD64900000PHXPKPVDPDT9', 2, '{"legs":[0,1],"fee":["0.00","22.50"],"updated_at":["2026-11-27T21:04:38.688Z","2026-11-27T21:04:38.787Z"]}'),
	(1, 20, 1795813479118090, '2026-11-27T21:04:39.048Z', 'RPaIZXa2Mx', 'HpxKxlMo-f', 'update', 'club/trip', 'trip_01M8FD64900000PHXPKPVDPDT9', 3, '{"legs":[1,2],"fee":["22.50","45.00"],"updated_at":["2026-11-27T21:04:38.787Z","2026-11-27T21:04:39.048Z"]}'),
	(1, 26, 1795813479801128, '2026-11-27T21:04:39.734Z', 'RPaIZXa2Mx', 'HpxKxlMo-k', 'update', 'club/trip', 'trip_01M8FD64900000PHXPKPVDPDT9', 4, '{"title":["To the sea","To the open sea"],"updated_at":["2026-11-27T21:04:39.048Z","2026-11-27T21:04:39.734Z"]}'),
	(1, 21, 1795813479223790, '2026-11-27T21:04:39.192Z', 'RPaIZXa2Mx', 'HpxKxlMo-g', 'create', 'club/trip', 'trip_01M8FD64RQ000AD5CS6QG92WFF', 1, '{"id":[null,"trip_01M8FD64RQ000AD5CS6QG92WFF"],"title":[null,"Nowhere"],"member_id":[null,"member_01M8FD62400009DZV5XPQ1YTG2"],"status":[null,"planned"],"legs":[null,0],"fee":[null,"0.00"],"created_at":[null,"2026-11-27T21:04:39.191Z"],"updated_at":[null,"2026-11-27T21:04:39.191Z"]}'),
	(1, 23, 1795813479300965, '2026-11-27T21:04:39.256Z', 'RPaIZXa2Mx', 'HpxKxlMo-h', 'update', 'club/trip', 'trip_01M8FD64RQ000AD5CS6QG92WFF', 2, '{"legs":[0,1],"fee":["0.00","32.50"],"updated_at":["2026-11-27T21:04:39.191Z","2026-11-27T21:04:39.256Z"]}'),
	(1, 27, 1795813479917028, '2026-11-27T21:04:39.862Z', 'RPaIZXa2Mx', 'HpxKxlMo-l', 'delete', 'club/trip', 'trip_01M8FD64RQ000AD5CS6QG92WFF', 3, '{"id":["trip_01M8FD64RQ000AD5CS6QG92WFF",null],"title":["Nowhere",null],"member_id":["member_01M8FD62400009DZV5XPQ1YTG2",null],"status":["planned",null],"legs":[1,null],"fee":["32.50",null],"created_at":["2026-11-27T21:04:39.191Z",null],"updated_at":["2026-11-27T21:04:39.256Z",null]}'),
	(1, 8, 1795813477907987, '2026-11-27T21:04:37.886Z', 'RPaIZXa2Mx', 'HpxKxlMo-9', 'create', 'club/trip-leg', 'trip_leg_01M8FD63FY0000GM96JFCNJZ2H', 1, '{"id":[null,"trip_leg_01M8FD63FY0000GM96JFCNJZ2H"],"idx":[null,1],"trip_id":[null,"trip_01M8FD63AX000C17TF431DA9T4"],"place":[null,"Pier"],"fee":[null,"12.50"],"tax":[null,"0.88"]}'),
	(1, 15, 1795813478344085, '2026-11-27T21:04:38.330Z', 'RPaIZXa2Mx', 'HpxKxlMo-c', 'reorder', 'club/trip-leg', 'trip_leg_01M8FD63FY0000GM96JFCNJZ2H', 2, '{"idx":[1,3]}'),
	(1, 10, 1795813478156167, '2026-11-27T21:04:38.107Z', 'RPaIZXa2Mx', 'HpxKxlMo-a', 'create', 'club/trip-leg', 'trip_leg_01M8FD63PV0003YN6V4K49BM5H', 1, '{"id":[null,"trip_leg_01M8FD63PV0003YN6V4K49BM5H"],"idx":[null,2],"trip_id":[null,"trip_01M8FD63AX000C17TF431DA9T4"],"place":[null,"Island"],"fee":[null,"12.50"],"tax":[null,"0.88"]}'),
	(1, 12, 1795813478321268, '2026-11-27T21:04:38.307Z', 'RPaIZXa2Mx', 'HpxKxlMo-b', 'create', 'club/trip-leg', 'trip_leg_01M8FD63X30002CRY469AVG788', 1, '{"id":[null,"trip_leg_01M8FD63X30002CRY469AVG788"],"idx":[null,3],"trip_id":[null,"trip_01M8FD63AX000C17TF431DA9T4"],"place":[null,"Pier again"],"fee":[null,"12.50"],"tax":[null,"0.88"]}'),
	(1, 14, 1795813478344040, '2026-11-27T21:04:38.330Z', 'RPaIZXa2Mx', 'HpxKxlMo-c', 'reorder', 'club/trip-leg', 'trip_leg_01M8FD63X30002CRY469AVG788', 2, '{"idx":[3,1]}'),
	(1, 17, 1795813478837918, '2026-11-27T21:04:38.787Z', 'RPaIZXa2Mx', 'HpxKxlMo-e', 'create', 'club/trip-leg', 'trip_leg_01M8FD64C30005NB9TRFB9CWF4', 1, '{"id":[null,"trip_leg_01M8FD64C30005NB9TRFB9CWF4"],"idx":[null,1],"trip_id":[null,"trip_01M8FD64900000PHXPKPVDPDT9"],"place":[null,"Island"],"fee":[null,"22.50"],"tax":[null,"1.58"]}'),
	(1, 19, 1795813479089370, '2026-11-27T21:04:39.048Z', 'RPaIZXa2Mx', 'HpxKxlMo-f', 'create', 'club/trip-leg', 'trip_leg_01M8FD64M80007CNNWRHHP2XM1', 1, '{"id":[null,"trip_leg_01M8FD64M80007CNNWRHHP2XM1"],"idx":[null,2],"trip_id":[null,"trip_01M8FD64900000PHXPKPVDPDT9"],"place":[null,"Pier again"],"fee":[null,"22.50"],"tax":[null,"1.58"]}'),
	(1, 22, 1795813479287780, '2026-11-27T21:04:39.256Z', 'RPaIZXa2Mx', 'HpxKxlMo-h', 'create', 'club/trip-leg', 'trip_leg_01M8FD64TR00044X60ECQZNMGP', 1, '{"id":[null,"trip_leg_01M8FD64TR00044X60ECQZNMGP"],"idx":[null,1],"trip_id":[null,"trip_01M8FD64RQ000AD5CS6QG92WFF"],"place":[null,"Pier again"],"fee":[null,"32.50"],"tax":[null,"2.28"]}'),
	(1, 28, 1795813479944620, '2026-11-27T21:04:39.862Z', 'RPaIZXa2Mx', 'HpxKxlMo-l', 'delete', 'club/trip-leg', 'trip_leg_01M8FD64TR00044X60ECQZNMGP', 2, '{"id":["trip_leg_01M8FD64TR00044X60ECQZNMGP",null],"idx":[1,null],"trip_id":["trip_01M8FD64RQ000AD5CS6QG92WFF",null],"place":["Pier again",null],"fee":["32.50",null],"tax":["2.28",null]}');
INSERT INTO _organization VALUES
	(2, 'harbour', '2026-11-27T21:03:59.187Z', NULL),
	(1, 'main', NULL, NULL);
INSERT INTO _required_column VALUES
	('boat.name'),
	('boat.price.2'),
	('boat.tags.text'),
	('boat.depths.bigint'),
	('boat.checked_at date-time'),
	('boat.seen_at date-time'),
	('club_settings.rate.2'),
	('member.name'),
	('trip_leg.idx'),
	('trip_leg.place'),
	('trip_leg.fee'),
	('trip_leg.fee.2'),
	('trip_leg.tax.2'),
	('trip_leg computed 239b769498525c2d'),
	('trip.title'),
	('trip.member_id'),
	('trip.fee.2'),
	('trip.started_at date-time'),
	('trip computed aec53c7ca1fa8ebb');
INSERT INTO _row_counter VALUES
	(1, 'boat', '', 0, 0),
	(1, 'trip', '', 0, 0),
	(1, 'member', '', 1, 1),
	(1, 'member', '', 0, 1),
	(1, 'member', '', 4, 1),
	(2, 'member', '', 17, 1),
	(1, 'boat', '', 11, 1),
	(1, 'boat', '', 20, 2),
	(1, 'trip', '', 10, 1),
	(1, 'trip_leg', 'trip_01M8FD63AX000C17TF431DA9T4', 0, 3),
	(1, 'trip', '', 18, 1),
	(1, 'trip_leg', 'trip_01M8FD64900000PHXPKPVDPDT9', 0, 2),
	(1, 'trip', '', 16, 1),
	(1, 'trip', '', 19, -1),
	(1, '_event', '', 0, 0),
	(1, 'boat', '', 18, 1);
INSERT INTO _webhook VALUES
	('webhook_01M8FD602Z0002HCTPWYS64E3V', 1, 'http://127.0.0.1:42803/events', 'whsec_6+N3DI/TnWFBHLfnZGJcKtQPQXJdblZxmyj4bomIEVE=', 'club/member:create club/trip', 'paused', NULL, 30, '2026-11-27T21:04:34.399Z');
INSERT INTO boat VALUES
	(1, 'boat_01M8FD6355000DX3G9PR5P2404', 'Dinghy', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 4, NULL, true, NULL, NULL, NULL, '[1,2]', '2026-05-05T05:05:05.000Z', '2026-11-27T21:04:37.541Z', '2026-11-27T21:04:37.541Z', 1),
	(1, 'boat_01M8FD637W0002X3BMK1CN0462', '"Zoë" ''Ωμ'' 🙂 \ %s
	', 'North quay', '1999-12-31', '2026-03-01T08:00:00.500Z', '06:00:00Z', '9f86d081-884c-4d65-9a2f-000000000001', 'harbour@example.com', 'https://example.com/boat?a=b&c=%22', 9007199254740991, 1e-07, false, 9999999999.99, 'windy', '["fast","a \"b\", c","ß"]', '[0,12]', '2026-05-05T05:05:05.000Z', '2026-11-27T21:04:37.628Z', '2026-11-27T21:04:37.628Z', 1),
	(1, 'boat_01M8FD639900098DYASPD7MM6C', 'Canoe', '', NULL, NULL, NULL, NULL, NULL, NULL, 2, -0.1, true, -0.50, 'calm', '[]', NULL, '2026-05-05T05:05:05.000Z', '2026-11-27T21:04:37.673Z', '2026-11-27T21:04:37.673Z', 1),
	(1, 'boat_01M8FD65SR0005FF3615MGJA0Q', 'Raft', 'East quay', NULL, NULL, NULL, NULL, NULL, NULL, 4, NULL, true, NULL, NULL, NULL, '[1,2]', '2026-11-27T21:04:40.248Z', '2026-11-27T21:04:40.248Z', '2026-11-27T21:04:40.248Z', 1);
INSERT INTO club_settings VALUES
	(2, 'club_settings_01M8FD4XPT000DM3FWFCS3EHHX', 'summer', NULL, false, '2026-11-27T21:03:59.194Z', '2026-11-27T21:03:59.194Z', 1),
	(1, 'club_settings_01M8FD4PZJ00057Y01BA6CJWVB', 'winter', 19.50, false, '2026-11-27T21:03:52.306Z', '2026-11-27T21:04:40.100Z', 2);
INSERT INTO member VALUES
	(1, 'member_01M8FD62400009DZV5XPQ1YTG2', 'Zoë Ångström', 'Zoe@Example.com', 'AB123', 'red', 1, NULL, NULL, NULL, 'guest', '2026-11-27T21:04:36.480Z', '2026-11-27T21:04:36.480Z', '''1·angstrom·name'' ''1·zoe·name''', 'zoe@example.com', 1),
	(1, 'member_01M8FD62RW0000E7M4T0D07H8W', 'Ada', NULL, NULL, 'red', NULL, '2001-02-03', NULL, 'member_01M8FD62400009DZV5XPQ1YTG2', 'full', '2026-11-27T21:04:37.148Z', '2026-11-27T21:04:37.148Z', '''1·ada·name''', NULL, 1),
	(1, 'member_01M8FD62V20003Q6TYM71YY462', 'Bob', 'bob@example.com', NULL, NULL, NULL, '1980-01-01', 'rows, sails', NULL, 'guest', '2026-11-27T21:04:37.218Z', '2026-11-27T21:04:37.218Z', '''1·bob·name'' ''1·rows·notes'' ''1·sails·notes''', 'bob@example.com', 1),
	(2, 'member_01M8FD62YP000ENV30CCXHCYP6', 'Eve', 'zoe@example.com', 'AB123', NULL, NULL, NULL, NULL, NULL, 'guest', '2026-11-27T21:04:37.334Z', '2026-11-27T21:04:37.334Z', '''2·eve·name''', 'zoe@example.com', 1);
INSERT INTO trip VALUES
	(1, 'trip_01M8FD63AX000C17TF431DA9T4', 'Round the lake', 'member_01M8FD62400009DZV5XPQ1YTG2', 'boat_01M8FD6355000DX3G9PR5P2404', 'over', 3, 37.50, '2026-11-27T21:04:39.464Z', 'RPaIZXa2Mx', '2026-11-27T21:04:37.725Z', '2026-11-27T21:04:39.570Z', 6),
	(1, 'trip_01M8FD64900000PHXPKPVDPDT9', 'To the open sea', 'member_01M8FD62400009DZV5XPQ1YTG2', 'boat_01M8FD637W0002X3BMK1CN0462', 'planned', 2, 45.00, NULL, NULL, '2026-11-27T21:04:38.688Z', '2026-11-27T21:04:39.734Z', 4);
INSERT INTO trip_leg VALUES
	(1, 'trip_leg_01M8FD63PV0003YN6V4K49BM5H', 2, 'trip_01M8FD63AX000C17TF431DA9T4', 'Island', 12.50, 0.88, 1),
	(1, 'trip_leg_01M8FD63X30002CRY469AVG788', 1, 'trip_01M8FD63AX000C17TF431DA9T4', 'Pier again', 12.50, 0.88, 2),
	(1, 'trip_leg_01M8FD63FY0000GM96JFCNJZ2H', 3, 'trip_01M8FD63AX000C17TF431DA9T4', 'Pier', 12.50, 0.88, 2),
	(1, 'trip_leg_01M8FD64C30005NB9TRFB9CWF4', 1, 'trip_01M8FD64900000PHXPKPVDPDT9', 'Island', 22.50, 1.58, 1),
	(1, 'trip_leg_01M8FD64M80007CNNWRHHP2XM1', 2, 'trip_01M8FD64900000PHXPKPVDPDT9', 'Pier again', 22.50, 1.58, 1);
ALTER TABLE ONLY _answer
    ADD CONSTRAINT _answer_pkey PRIMARY KEY (_organization, owner, key);
ALTER TABLE ONLY _api_key
    ADD CONSTRAINT _api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY _delivery
    ADD CONSTRAINT _delivery_pkey PRIMARY KEY (_organization, webhook, event);
ALTER TABLE ONLY _lease
    ADD CONSTRAINT _lease_pkey PRIMARY KEY (name);
ALTER TABLE ONLY _organization
    ADD CONSTRAINT _organization_name_key UNIQUE (name);
ALTER TABLE ONLY _organization
    ADD CONSTRAINT _organization_pkey PRIMARY KEY (id);
ALTER TABLE ONLY _required_column
    ADD CONSTRAINT _required_column_pkey PRIMARY KEY (name);
ALTER TABLE ONLY _row_counter
    ADD CONSTRAINT _row_counter_pkey PRIMARY KEY (_organization, "table", parent, shard);
ALTER TABLE ONLY _webhook
    ADD CONSTRAINT _webhook_pkey PRIMARY KEY (id);
ALTER TABLE ONLY boat
    ADD CONSTRAINT boat_pkey PRIMARY KEY (_organization, id);
ALTER TABLE ONLY club_settings
    ADD CONSTRAINT club_settings_pkey PRIMARY KEY (_organization, id);
ALTER TABLE ONLY member
    ADD CONSTRAINT member_pkey PRIMARY KEY (_organization, id);
ALTER TABLE ONLY trip_leg
    ADD CONSTRAINT trip_leg_pkey PRIMARY KEY (_organization, id);
ALTER TABLE ONLY trip
    ADD CONSTRAINT trip_pkey PRIMARY KEY (_organization, id);
CREATE INDEX _answer_by_time ON _answer USING btree (_organization, "time");
CREATE INDEX "_boat.checked_at.asc" ON boat USING btree (_organization, checked_at COLLATE "C", id DESC);
CREATE INDEX "_boat.checked_at.desc" ON boat USING btree (_organization, checked_at COLLATE "C" NULLS FIRST, id);
CREATE INDEX "_boat.is_ready.boolean.desc" ON boat USING btree (_organization, is_ready NULLS FIRST, id);
CREATE INDEX "_boat.length.double precision.asc" ON boat USING btree (_organization, length, id DESC);
CREATE INDEX "_boat.length.double precision.desc" ON boat USING btree (_organization, length NULLS FIRST, id);
CREATE INDEX "_boat.price.numeric.asc" ON boat USING btree (_organization, price, id DESC);
CREATE INDEX "_boat.price.numeric.desc" ON boat USING btree (_organization, price NULLS FIRST, id);
CREATE INDEX "_boat.seats.bigint.asc" ON boat USING btree (_organization, seats, id DESC);
CREATE INDEX "_boat.seats.bigint.desc" ON boat USING btree (_organization, seats NULLS FIRST, id);
CREATE INDEX "_boat.tags.json.has" ON boat USING gin (jsonb_set('{}'::jsonb, ARRAY[(_organization)::text], (tags)::jsonb) jsonb_path_ops);
CREATE INDEX "_boat.weather.desc" ON boat USING btree (_organization, weather COLLATE "C" NULLS FIRST, id);
CREATE INDEX _delivery_by_age ON _delivery USING btree (_organization, at) WHERE (state <> 'waiting'::text);
CREATE INDEX _delivery_by_record ON _delivery USING btree (_organization, webhook, record, event) WHERE (state = 'waiting'::text);
CREATE INDEX _delivery_by_turn ON _delivery USING btree (_organization, webhook, at, event) WHERE (state = 'waiting'::text);
CREATE UNIQUE INDEX _event_by_number ON _event USING btree (_organization, number);
CREATE UNIQUE INDEX _event_by_version ON _event USING btree (_organization, record, version);
CREATE INDEX _event_unnumbered ON _event USING btree (_organization, noted_at) WHERE (number IS NULL);
CREATE INDEX "_member.born_on.desc" ON member USING btree (_organization, born_on COLLATE "C" NULLS FIRST, id);
CREATE INDEX "_member.name.asc" ON member USING btree (_organization, name COLLATE "C", id DESC);
CREATE INDEX "_member.name.desc" ON member USING btree (_organization, name COLLATE "C" NULLS FIRST, id);
CREATE INDEX "_member.number.bigint.asc" ON member USING btree (_organization, number, id DESC);
CREATE INDEX "_member.number.bigint.desc" ON member USING btree (_organization, number NULLS FIRST, id);
CREATE INDEX "_member.search.0dd05b82f5dd" ON member USING gin (_search) WITH (gin_pending_list_limit='64');
CREATE INDEX "_member.sponsor_id.desc" ON member USING btree (_organization, sponsor_id NULLS FIRST, id);
CREATE INDEX "_trip.boat_id.desc" ON trip USING btree (_organization, boat_id NULLS FIRST, id);
CREATE INDEX "_trip.fee.numeric.asc" ON trip USING btree (_organization, fee, id DESC);
CREATE INDEX "_trip.fee.numeric.desc" ON trip USING btree (_organization, fee NULLS FIRST, id);
CREATE INDEX "_trip.member_id.desc" ON trip USING btree (_organization, member_id NULLS FIRST, id);
CREATE INDEX "_trip.status.desc.backfill-b3436629e845" ON trip USING btree (_organization, COALESCE(status, 'planned'::text) COLLATE "C" NULLS FIRST, id);
CREATE UNIQUE INDEX member_card_unique ON member USING btree (_organization, card);
CREATE UNIQUE INDEX member_email_unique_ignore_case ON member USING btree (_organization, _email_folded);
CREATE UNIQUE INDEX member_team_number_unique ON member USING btree (_organization, team, number);
CREATE INDEX trip_leg_by_parent ON trip_leg USING btree (_organization, "left"(trip_id, 500), idx, id);
ALTER TABLE ONLY member
    ADD CONSTRAINT member_sponsor_id_fkey FOREIGN KEY (_organization, sponsor_id) REFERENCES member(_organization, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY trip
    ADD CONSTRAINT trip_boat_id_fkey FOREIGN KEY (_organization, boat_id) REFERENCES boat(_organization, id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY trip
    ADD CONSTRAINT trip_member_id_fkey FOREIGN KEY (_organization, member_id) REFERENCES member(_organization, id) DEFERRABLE INITIALLY DEFERRED;