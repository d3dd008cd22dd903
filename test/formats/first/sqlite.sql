pragma application_id = 1277527519;
pragma user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS "_organization" (
  "id" bigint not null primary key,
  "name" text unique,
  "created_at" text,
  "deleted_at" text
);
INSERT INTO _organization VALUES(1,'main',NULL,NULL);
INSERT INTO _organization VALUES(2,'harbour','2026-11-27T21:02:39.770Z',NULL);
CREATE TABLE IF NOT EXISTS "_api_key" (
  "id" text not null primary key,
  "_organization" bigint not null,
  "digest" text not null,
  "name" text not null,
  "scopes" text not null,
  "rate" text,
  "created_at" text not null,
  "expires_at" text,
  "revoked_at" text,
  "last_used_at" text
);
INSERT INTO _api_key VALUES('o3ywMteAd6',1,'304ec04d0536756ecbf1fb3edc136ade727fa5d80deb07eb00a446a846fbde24','Office','*','6000/m','2026-11-27T21:02:43.736Z',NULL,NULL,'2026-11-27T21:03:39.910Z');
INSERT INTO _api_key VALUES('2MMhV1za9C',2,'c56b3b7e38e4ed55337bf5b9253b93d45d578d957c593acba2b280cf3606a37d','Port','club',NULL,'2026-11-27T21:02:49.011Z',NULL,NULL,'2026-11-27T21:03:40.040Z');
INSERT INTO _api_key VALUES('opoPItO9de',1,'472b33f31137815c8145b1ebc6950b6399c92f4d3d29dd75c5539c559a022582','Lost','*',NULL,'2026-11-27T21:02:56.708Z',NULL,'2026-11-27T21:03:02.533Z',NULL);
CREATE TABLE IF NOT EXISTS "_row_counter" (
  "_organization" bigint not null,
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key ("_organization", "table", "parent", "shard")
);
INSERT INTO _row_counter VALUES(1,'boat','',0,4);
INSERT INTO _row_counter VALUES(1,'member','',0,3);
INSERT INTO _row_counter VALUES(1,'trip','',0,2);
INSERT INTO _row_counter VALUES(2,'member','',0,1);
INSERT INTO _row_counter VALUES(1,'trip_leg','trip_01M8FD3GXB000DG8ASS48A5W64',0,3);
INSERT INTO _row_counter VALUES(1,'trip_leg','trip_01M8FD3N8D0002AX9D4GNQ3EGM',0,2);
CREATE TABLE IF NOT EXISTS "_required_column" (
  "name" text not null primary key
);
INSERT INTO _required_column VALUES('boat.name');
INSERT INTO _required_column VALUES('boat.tags.text');
INSERT INTO _required_column VALUES('boat.depths.bigint');
INSERT INTO _required_column VALUES('boat.checked_at date-time');
INSERT INTO _required_column VALUES('boat.seen_at date-time');
INSERT INTO _required_column VALUES('member.name');
INSERT INTO _required_column VALUES('trip_leg.idx');
INSERT INTO _required_column VALUES('trip_leg.place');
INSERT INTO _required_column VALUES('trip_leg.fee');
INSERT INTO _required_column VALUES('trip_leg computed 239b769498525c2d');
INSERT INTO _required_column VALUES('trip.title');
INSERT INTO _required_column VALUES('trip.member_id');
INSERT INTO _required_column VALUES('trip.started_at date-time');
INSERT INTO _required_column VALUES('trip computed aec53c7ca1fa8ebb');
CREATE TABLE IF NOT EXISTS "_webhook" (
  "id" text not null primary key,
  "_organization" bigint not null,
  "url" text not null,
  "secret" text not null,
  "filter" text not null,
  "state" text not null,
  "why" text,
  "position" bigint not null,
  "created_at" text not null
);
INSERT INTO _webhook VALUES('webhook_01M8FD3CTA0005FE23Z32HFB9C',1,'http://127.0.0.1:42533/events','whsec_VDNqcTtl/d1kOar9qzjn+/YKENJ7M0SbFLetM+0phq8=','club/member:create club/trip','paused',NULL,30,'2026-11-27T21:03:09.130Z');
CREATE TABLE IF NOT EXISTS "_delivery" (
  "_organization" bigint not null,
  "webhook" text not null,
  "event" bigint not null,
  "type" text not null,
  "record" text not null,
  "state" text not null,
  "attempts" bigint not null,
  "queued" bigint not null,
  "at" bigint not null,
  "answer" text,
  "duration" bigint,
  primary key ("_organization", "webhook", "event")
);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',1,'club/member.create','member_01M8FD3DGP0000FEHN1CP7HCNM','delivered',1,1795813398436,1795813398768,'204',216);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',2,'club/member.create','member_01M8FD3GE7000CKJ8ZSES8GGVP','delivered',1,1795813398436,1795813398768,'204',227);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',3,'club/member.create','member_01M8FD3GJV000676WS5J5RFE0A','delivered',1,1795813398436,1795813398768,'204',246);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',7,'club/trip.create','trip_01M8FD3GXB000DG8ASS48A5W64','delivered',1,1795813398436,1795813398768,'204',249);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',9,'club/trip.update','trip_01M8FD3GXB000DG8ASS48A5W64','delivered',1,1795813398436,1795813398917,'204',19);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',11,'club/trip.update','trip_01M8FD3GXB000DG8ASS48A5W64','delivered',2,1795813398436,1795813419167,'204',1518);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',13,'club/trip.update','trip_01M8FD3GXB000DG8ASS48A5W64','waiting',0,1795813398436,1795813419167,NULL,NULL);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',24,'club/trip.start','trip_01M8FD3GXB000DG8ASS48A5W64','waiting',0,1795813398436,9007199254740991,NULL,NULL);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',25,'club/trip.finish','trip_01M8FD3GXB000DG8ASS48A5W64','waiting',0,1795813398436,9007199254740991,NULL,NULL);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',16,'club/trip.create','trip_01M8FD3N8D0002AX9D4GNQ3EGM','delivered',1,1795813398436,1795813398768,'204',246);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',18,'club/trip.update','trip_01M8FD3N8D0002AX9D4GNQ3EGM','delivered',1,1795813398436,1795813398917,'204',36);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',20,'club/trip.update','trip_01M8FD3N8D0002AX9D4GNQ3EGM','delivered',2,1795813398436,1795813419268,'204',1627);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',26,'club/trip.update','trip_01M8FD3N8D0002AX9D4GNQ3EGM','waiting',0,1795813398436,1795813419268,NULL,NULL);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',21,'club/trip.create','trip_01M8FD3NHC0000R9PKDF5PJG20','delivered',1,1795813398436,1795813398768,'204',247);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',23,'club/trip.update','trip_01M8FD3NHC0000R9PKDF5PJG20','delivered',1,1795813398436,1795813398917,'204',39);
INSERT INTO _delivery VALUES(1,'webhook_01M8FD3CTA0005FE23Z32HFB9C',27,'club/trip.delete','trip_01M8FD3NHC0000R9PKDF5PJG20','delivered',2,1795813398768,1795813419268,'204',1627);
CREATE TABLE IF NOT EXISTS "_lease" (
  "name" text not null primary key,
  "holder" text not null,
  "until" bigint not null
);
CREATE TABLE IF NOT EXISTS "_event" (
  "_organization" bigint not null,
  "number" bigint,
  "noted_at" bigint,
  "time" text not null,
  "actor" text,
  "request_id" text,
  "operation" text not null,
  "resource" text not null,
  "record" text not null,
  "version" bigint not null,
  "changes" text not null
);
INSERT INTO _event VALUES(1,1,NULL,'2026-11-27T21:03:09.847Z','o3ywMteAd6','p8ozxRzh-1','create','club/member','member_01M8FD3DGP0000FEHN1CP7HCNM',1,'{"id":[null,"member_01M8FD3DGP0000FEHN1CP7HCNM"],"name":[null,"Zoë Ångström"],"email":[null,"Zoe@Example.com"],"card":[null,"AB123"],"team":[null,"red"],"number":[null,1],"level":[null,"guest"],"created_at":[null,"2026-11-27T21:03:09.846Z"],"updated_at":[null,"2026-11-27T21:03:09.846Z"]}');
INSERT INTO _event VALUES(1,2,NULL,'2026-11-27T21:03:12.839Z','o3ywMteAd6','p8ozxRzh-2','create','club/member','member_01M8FD3GE7000CKJ8ZSES8GGVP',1,'{"id":[null,"member_01M8FD3GE7000CKJ8ZSES8GGVP"],"name":[null,"Ada"],"team":[null,"red"],"born_on":[null,"2001-02-03"],"sponsor_id":[null,"member_01M8FD3DGP0000FEHN1CP7HCNM"],"level":[null,"full"],"created_at":[null,"2026-11-27T21:03:12.839Z"],"updated_at":[null,"2026-11-27T21:03:12.839Z"]}');
INSERT INTO _event VALUES(1,3,NULL,'2026-11-27T21:03:12.999Z','o3ywMteAd6','p8ozxRzh-3','create','club/member','member_01M8FD3GJV000676WS5J5RFE0A',1,'{"id":[null,"member_01M8FD3GJV000676WS5J5RFE0A"],"name":[null,"Bob"],"email":[null,"bob@example.com"],"born_on":[null,"1980-01-01"],"notes":[null,"rows, sails"],"level":[null,"guest"],"created_at":[null,"2026-11-27T21:03:12.987Z"],"updated_at":[null,"2026-11-27T21:03:12.987Z"]}');
INSERT INTO _event VALUES(2,1,NULL,'2026-11-27T21:03:13.081Z','2MMhV1za9C','p8ozxRzh-4','create','club/member','member_01M8FD3GNS000CWNMAWQQEWX4Z',1,'{"id":[null,"member_01M8FD3GNS000CWNMAWQQEWX4Z"],"name":[null,"Eve"],"email":[null,"zoe@example.com"],"card":[null,"AB123"],"level":[null,"guest"],"created_at":[null,"2026-11-27T21:03:13.081Z"],"updated_at":[null,"2026-11-27T21:03:13.081Z"]}');
INSERT INTO _event VALUES(1,4,NULL,'2026-11-27T21:03:13.149Z','o3ywMteAd6','p8ozxRzh-5','create','club/boat','boat_01M8FD3GQX0000S3Y1WD5A2CMR',1,'{"id":[null,"boat_01M8FD3GQX0000S3Y1WD5A2CMR"],"name":[null,"Dinghy"],"seats":[null,4],"is_ready":[null,true],"depths":[null,[1,2]],"seen_at":[null,"2026-05-05T05:05:05.000Z"],"created_at":[null,"2026-11-27T21:03:13.149Z"],"updated_at":[null,"2026-11-27T21:03:13.149Z"]}');
INSERT INTO _event VALUES(1,5,NULL,'2026-11-27T21:03:13.208Z','o3ywMteAd6','p8ozxRzh-6','create','club/boat','boat_01M8FD3GS70000YW0QGWCSG0GR',1,'{"id":[null,"boat_01M8FD3GS70000YW0QGWCSG0GR"],"name":[null,"\"Zoë\" ''Ωμ'' 🙂 \\ %s\n\t"],"mooring":[null,"North quay"],"built_on":[null,"1999-12-31"],"checked_at":[null,"2026-03-01T08:00:00.500Z"],"opens_at":[null,"06:00:00Z"],"serial":[null,"9f86d081-884c-4d65-9a2f-000000000001"],"contact":[null,"harbour@example.com"],"manual":[null,"https://example.com/boat?a=b&c=%22"],"seats":[null,9007199254740991],"length":[null,1e-7],"is_ready":[null,false],"price":[null,"9999999999.99"],"weather":[null,"windy"],"tags":[null,["fast","a \"b\", c","ß"]],"depths":[null,[0,12]],"seen_at":[null,"2026-05-05T05:05:05.000Z"],"created_at":[null,"2026-11-27T21:03:13.191Z"],"updated_at":[null,"2026-11-27T21:03:13.191Z"]}');
INSERT INTO _event VALUES(1,6,NULL,'2026-11-27T21:03:13.252Z','o3ywMteAd6','p8ozxRzh-7','create','club/boat','boat_01M8FD3GV3000DECZYSJFPY89X',1,'{"id":[null,"boat_01M8FD3GV3000DECZYSJFPY89X"],"name":[null,"Canoe"],"mooring":[null,""],"seats":[null,2],"length":[null,-0.1],"is_ready":[null,true],"price":[null,"-0.50"],"weather":[null,"calm"],"tags":[null,[]],"seen_at":[null,"2026-05-05T05:05:05.000Z"],"created_at":[null,"2026-11-27T21:03:13.251Z"],"updated_at":[null,"2026-11-27T21:03:13.251Z"]}');
INSERT INTO _event VALUES(1,7,NULL,'2026-11-27T21:03:13.323Z','o3ywMteAd6','p8ozxRzh-8','create','club/trip','trip_01M8FD3GXB000DG8ASS48A5W64',1,'{"id":[null,"trip_01M8FD3GXB000DG8ASS48A5W64"],"title":[null,"Round the lake"],"member_id":[null,"member_01M8FD3DGP0000FEHN1CP7HCNM"],"boat_id":[null,"boat_01M8FD3GQX0000S3Y1WD5A2CMR"],"status":[null,"planned"],"legs":[null,0],"fee":[null,"0.00"],"created_at":[null,"2026-11-27T21:03:13.323Z"],"updated_at":[null,"2026-11-27T21:03:13.323Z"]}');
INSERT INTO _event VALUES(1,8,NULL,'2026-11-27T21:03:13.414Z','o3ywMteAd6','p8ozxRzh-9','create','club/trip-leg','trip_leg_01M8FD3H060008RP6NBJFXP0N7',1,'{"id":[null,"trip_leg_01M8FD3H060008RP6NBJFXP0N7"],"idx":[null,1],"trip_id":[null,"trip_01M8FD3GXB000DG8ASS48A5W64"],"place":[null,"Pier"],"fee":[null,"12.50"],"tax":[null,"0.88"]}');
INSERT INTO _event VALUES(1,9,NULL,'2026-11-27T21:03:13.414Z','o3ywMteAd6','p8ozxRzh-9','update','club/trip','trip_01M8FD3GXB000DG8ASS48A5W64',2,'{"legs":[0,1],"fee":["0.00","12.50"],"updated_at":["2026-11-27T21:03:13.323Z","2026-11-27T21:03:13.414Z"]}');
INSERT INTO _event VALUES(1,10,NULL,'2026-11-27T21:03:13.703Z','o3ywMteAd6','p8ozxRzh-a','create','club/trip-leg','trip_leg_01M8FD3H97000D06RBGJT7D623',1,'{"id":[null,"trip_leg_01M8FD3H97000D06RBGJT7D623"],"idx":[null,2],"trip_id":[null,"trip_01M8FD3GXB000DG8ASS48A5W64"],"place":[null,"Island"],"fee":[null,"12.50"],"tax":[null,"0.88"]}');
INSERT INTO _event VALUES(1,11,NULL,'2026-11-27T21:03:13.703Z','o3ywMteAd6','p8ozxRzh-a','update','club/trip','trip_01M8FD3GXB000DG8ASS48A5W64',3,'{"legs":[1,2],"fee":["12.50","25.00"],"updated_at":["2026-11-27T21:03:13.414Z","2026-11-27T21:03:13.703Z"]}');
INSERT INTO _event VALUES(1,12,NULL,'2026-11-27T21:03:13.791Z','o3ywMteAd6','p8ozxRzh-b','create','club/trip-leg','trip_leg_01M8FD3HBY0009E7MCCKG2XSP2',1,'{"id":[null,"trip_leg_01M8FD3HBY0009E7MCCKG2XSP2"],"idx":[null,3],"trip_id":[null,"trip_01M8FD3GXB000DG8ASS48A5W64"],"place":[null,"Pier again"],"fee":[null,"12.50"],"tax":[null,"0.88"]}');
INSERT INTO _event VALUES(1,13,NULL,'2026-11-27T21:03:13.791Z','o3ywMteAd6','p8ozxRzh-b','update','club/trip','trip_01M8FD3GXB000DG8ASS48A5W64',4,'{"legs":[2,3],"fee":["25.00","37.50"],"updated_at":["2026-11-27T21:03:13.703Z","2026-11-27T21:03:13.791Z"]}');
INSERT INTO _event VALUES(1,14,NULL,'2026-11-27T21:03:13.842Z','o3ywMteAd6','p8ozxRzh-c','reorder','club/trip-leg','trip_leg_01M8FD3HBY0009E7MCCKG2XSP2',2,'{"idx":[3,1]}');
INSERT INTO _event VALUES(1,15,NULL,'2026-11-27T21:03:13.842Z','o3ywMteAd6','p8ozxRzh-c','reorder','club/trip-leg','trip_leg_01M8FD3H060008RP6NBJFXP0N7',2,'{"idx":[1,3]}');
INSERT INTO _event VALUES(1,16,NULL,'2026-11-27T21:03:17.775Z','o3ywMteAd6','p8ozxRzh-d','create','club/trip','trip_01M8FD3N8D0002AX9D4GNQ3EGM',1,'{"id":[null,"trip_01M8FD3N8D0002AX9D4GNQ3EGM"],"title":[null,"To the sea"],"member_id":[null,"member_01M8FD3DGP0000FEHN1CP7HCNM"],"boat_id":[null,"boat_01M8FD3GS70000YW0QGWCSG0GR"],"status":[null,"planned"],"legs":[null,0],"fee":[null,"0.00"],"created_at":[null,"2026-11-27T21:03:17.773Z"],"updated_at":[null,"2026-11-27T21:03:17.773Z"]}');
INSERT INTO _event VALUES(1,17,NULL,'2026-11-27T21:03:17.842Z','o3ywMteAd6','p8ozxRzh-e','create','club/trip-leg','trip_leg_01M8FD3NAJ0002EJMRHPBF8VTE',1,'{"id":[null,"trip_leg_01M8FD3NAJ0002EJMRHPBF8VTE"],"idx":[null,1],"trip_id":[null,"trip_01M8FD3N8D0002AX9D4GNQ3EGM"],"place":[null,"Island"],"fee":[null,"22.50"],"tax":[null,"1.58"]}');
INSERT INTO _event VALUES(1,18,NULL,'2026-11-27T21:03:17.842Z','o3ywMteAd6','p8ozxRzh-e','update','club/trip','trip_01M8FD3N8D0002AX9D4GNQ3EGM',2,'{"legs":[0,1],"fee":["0.00","22.50"],"updated_at":["2026-11-27T21:03:17.773Z","2026-11-27T21:03:17.842Z"]}');
INSERT INTO _event VALUES(1,19,NULL,'2026-11-27T21:03:17.992Z','o3ywMteAd6','p8ozxRzh-f','create','club/trip-leg','trip_leg_01M8FD3NF800049043BGS5N0MV',1,'{"id":[null,"trip_leg_01M8FD3NF800049043BGS5N0MV"],"idx":[null,2],"trip_id":[null,"trip_01M8FD3N8D0002AX9D4GNQ3EGM"],"place":[null,"Pier again"],"fee":[null,"22.50"],"tax":[null,"1.58"]}');
INSERT INTO _event VALUES(1,20,NULL,'2026-11-27T21:03:17.992Z','o3ywMteAd6','p8ozxRzh-f','update','club/trip','trip_01M8FD3N8D0002AX9D4GNQ3EGM',3,'{"legs":[1,2],"fee":["22.50","45.00"],"updated_at":["2026-11-27T21:03:17.842Z","2026-11-27T21:03:17.992Z"]}');
INSERT INTO _event VALUES(1,21,NULL,'2026-11-27T21:03:18.060Z','o3ywMteAd6','p8ozxRzh-g','create','club/trip','trip_01M8FD3NHC0000R9PKDF5PJG20',1,'{"id":[null,"trip_01M8FD3NHC0000R9PKDF5PJG20"],"title":[null,"Nowhere"],"member_id":[null,"member_01M8FD3DGP0000FEHN1CP7HCNM"],"status":[null,"planned"],"legs":[null,0],"fee":[null,"0.00"],"created_at":[null,"2026-11-27T21:03:18.060Z"],"updated_at":[null,"2026-11-27T21:03:18.060Z"]}');
INSERT INTO _event VALUES(1,22,NULL,'2026-11-27T21:03:18.108Z','o3ywMteAd6','p8ozxRzh-h','create','club/trip-leg','trip_leg_01M8FD3NJW000BNF5FGJRKYS3Z',1,'{"id":[null,"trip_leg_01M8FD3NJW000BNF5FGJRKYS3Z"],"idx":[null,1],"trip_id":[null,"trip_01M8FD3NHC0000R9PKDF5PJG20"],"place":[null,"Pier again"],"fee":[null,"32.50"],"tax":[null,"2.28"]}');
INSERT INTO _event VALUES(1,23,NULL,'2026-11-27T21:03:18.108Z','o3ywMteAd6','p8ozxRzh-h','update','club/trip','trip_01M8FD3NHC0000R9PKDF5PJG20',2,'{"legs":[0,1],"fee":["0.00","32.50"],"updated_at":["2026-11-27T21:03:18.060Z","2026-11-27T21:03:18.108Z"]}');
INSERT INTO _event VALUES(1,24,NULL,'2026-11-27T21:03:18.198Z','o3ywMteAd6','p8ozxRzh-i','start','club/trip','trip_01M8FD3GXB000DG8ASS48A5W64',5,'{"status":["planned","under_way"],"started_at":[null,"2026-11-27T21:03:18.198Z"],"started_by":[null,"o3ywMteAd6"],"updated_at":["2026-11-27T21:03:13.791Z","2026-11-27T21:03:18.198Z"]}');
INSERT INTO _event VALUES(1,25,NULL,'2026-11-27T21:03:18.317Z','o3ywMteAd6','p8ozxRzh-j','finish','club/trip','trip_01M8FD3GXB000DG8ASS48A5W64',6,'{"status":["under_way","over"],"updated_at":["2026-11-27T21:03:18.198Z","2026-11-27T21:03:18.316Z"]}');
INSERT INTO _event VALUES(1,26,NULL,'2026-11-27T21:03:18.373Z','o3ywMteAd6','p8ozxRzh-k','update','club/trip','trip_01M8FD3N8D0002AX9D4GNQ3EGM',4,'{"title":["To the sea","To the open sea"],"updated_at":["2026-11-27T21:03:17.992Z","2026-11-27T21:03:18.373Z"]}');
INSERT INTO _event VALUES(1,27,NULL,'2026-11-27T21:03:18.412Z','o3ywMteAd6','p8ozxRzh-l','delete','club/trip','trip_01M8FD3NHC0000R9PKDF5PJG20',3,'{"id":["trip_01M8FD3NHC0000R9PKDF5PJG20",null],"title":["Nowhere",null],"member_id":["member_01M8FD3DGP0000FEHN1CP7HCNM",null],"status":["planned",null],"legs":[1,null],"fee":["32.50",null],"created_at":["2026-11-27T21:03:18.060Z",null],"updated_at":["2026-11-27T21:03:18.108Z",null]}');
INSERT INTO _event VALUES(1,28,NULL,'2026-11-27T21:03:18.412Z','o3ywMteAd6','p8ozxRzh-l','delete','club/trip-leg','trip_leg_01M8FD3NJW000BNF5FGJRKYS3Z',2,'{"id":["trip_leg_01M8FD3NJW000BNF5FGJRKYS3Z",null],"idx":[1,null],"trip_id":["trip_01M8FD3NHC0000R9PKDF5PJG20",null],"place":["Pier again",null],"fee":["32.50",null],"tax":["2.28",null]}');
INSERT INTO _event VALUES(1,29,NULL,'2026-11-27T21:03:18.764Z','o3ywMteAd6','p8ozxRzh-n','update','club/club-settings','club_settings_01M8FD2AHH000AZ2HZ3T974TDX',2,'{"season":["summer","winter"],"rate":[null,"19.50"],"updated_at":["2026-11-27T21:02:34.033Z","2026-11-27T21:03:18.764Z"]}');
INSERT INTO _event VALUES(1,30,NULL,'2026-11-27T21:03:18.887Z','o3ywMteAd6','p8ozxRzh-o','create','club/boat','boat_01M8FD3PB60003SEV3MY2E1V47',1,'{"id":[null,"boat_01M8FD3PB60003SEV3MY2E1V47"],"name":[null,"Raft"],"mooring":[null,"East quay"],"seats":[null,4],"is_ready":[null,true],"depths":[null,[1,2]],"seen_at":[null,"2026-11-27T21:03:18.886Z"],"created_at":[null,"2026-11-27T21:03:18.886Z"],"updated_at":[null,"2026-11-27T21:03:18.886Z"]}');
CREATE TABLE IF NOT EXISTS "_answer" (
  "_organization" bigint not null,
  "owner" text not null,
  "key" text not null,
  "digest" text not null,
  "time" text not null,
  "answer" text not null,
  primary key ("_organization", "owner", "key")
);
INSERT INTO _answer VALUES(1,'o3ywMteAd6','once','63339718cb835d2dbf2291a6201b844001a5409206b6b4d6e98708f1ff510bba','2026-11-27T21:03:18.887Z',replace('{"result":{"outcome":"written","json":381,"version":1},"ids":["boat_01M8FD3PB60003SEV3MY2E1V47"]}\n{"id":"boat_01M8FD3PB60003SEV3MY2E1V47","name":"Raft","mooring":"East quay","built_on":null,"checked_at":null,"opens_at":null,"serial":null,"contact":null,"manual":null,"seats":4,"length":null,"is_ready":true,"price":null,"weather":null,"tags":null,"depths":[1,2],"seen_at":"2026-11-27T21:03:18.886Z","created_at":"2026-11-27T21:03:18.886Z","updated_at":"2026-11-27T21:03:18.886Z"}','\n',char(10)));
CREATE TABLE IF NOT EXISTS "boat" (
  "_organization" bigint not null,
  "id" text not null,
  "name" text,
  "mooring" text,
  "built_on" text,
  "checked_at" text,
  "opens_at" text,
  "serial" text,
  "contact" text,
  "manual" text,
  "seats" bigint default 4,
  "length" double precision,
  "is_ready" boolean default true,
  "price" decimal(18, 2),
  "weather" text,
  "tags" json,
  "depths" json default '[1,2]',
  "seen_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
INSERT INTO boat VALUES(1,'boat_01M8FD3GQX0000S3Y1WD5A2CMR','Dinghy',NULL,NULL,NULL,NULL,NULL,NULL,NULL,4,NULL,1,NULL,NULL,NULL,'[1,2]','2026-05-05T05:05:05.000Z','2026-11-27T21:03:13.149Z','2026-11-27T21:03:13.149Z',1);
INSERT INTO boat VALUES(1,'boat_01M8FD3GS70000YW0QGWCSG0GR',replace('"Zoë" ''Ωμ'' 🙂 \ %s\n	','\n',char(10)),'North quay','1999-12-31','2026-03-01T08:00:00.500Z','06:00:00Z','9f86d081-884c-4d65-9a2f-000000000001','harbour@example.com','https://example.com/boat?a=b&c=%22',9007199254740991,9.9999999999999995472e-08,0,999999999999,'windy','["fast","a \"b\", c","ß"]','[0,12]','2026-05-05T05:05:05.000Z','2026-11-27T21:03:13.191Z','2026-11-27T21:03:13.191Z',1);
INSERT INTO boat VALUES(1,'boat_01M8FD3GV3000DECZYSJFPY89X','Canoe','',NULL,NULL,NULL,NULL,NULL,NULL,2,-0.10000000000000000555,1,-50,'calm','[]',NULL,'2026-05-05T05:05:05.000Z','2026-11-27T21:03:13.251Z','2026-11-27T21:03:13.251Z',1);
INSERT INTO boat VALUES(1,'boat_01M8FD3PB60003SEV3MY2E1V47','Raft','East quay',NULL,NULL,NULL,NULL,NULL,NULL,4,NULL,1,NULL,NULL,NULL,'[1,2]','2026-11-27T21:03:18.886Z','2026-11-27T21:03:18.886Z','2026-11-27T21:03:18.886Z',1);
CREATE TABLE IF NOT EXISTS "club_settings" (
  "_organization" bigint not null,
  "id" text not null,
  "season" text default 'summer',
  "rate" decimal(18, 2),
  "is_open" boolean default false,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
INSERT INTO club_settings VALUES(1,'club_settings_01M8FD2AHH000AZ2HZ3T974TDX','winter',1950,0,'2026-11-27T21:02:34.033Z','2026-11-27T21:03:18.764Z',2);
INSERT INTO club_settings VALUES(2,'club_settings_01M8FD2G54000C714HK0SCW4ZH','summer',NULL,0,'2026-11-27T21:02:39.780Z','2026-11-27T21:02:39.780Z',1);
CREATE TABLE IF NOT EXISTS "member" (
  "_organization" bigint not null,
  "id" text not null,
  "name" text,
  "email" text,
  "card" text,
  "team" text,
  "number" bigint,
  "born_on" text,
  "notes" text,
  "sponsor_id" text,
  "level" text default 'guest',
  "created_at" text not null,
  "updated_at" text not null,
  "_search" text,
  "_email_folded" text,
  "_version" bigint not null default 1,
  primary key ("_organization", "id"),
  constraint "member_sponsor_id_fkey" foreign key ("_organization", "sponsor_id")
    references "member" ("_organization", "id") deferrable initially deferred
);
INSERT INTO member VALUES(1,'member_01M8FD3DGP0000FEHN1CP7HCNM','Zoë Ångström','Zoe@Example.com','AB123','red',1,NULL,NULL,NULL,'guest','2026-11-27T21:03:09.846Z','2026-11-27T21:03:09.846Z','{"name":"1·zoe 1·angstrom","notes":""}','zoe@example.com',1);
INSERT INTO member VALUES(1,'member_01M8FD3GE7000CKJ8ZSES8GGVP','Ada',NULL,NULL,'red',NULL,'2001-02-03',NULL,'member_01M8FD3DGP0000FEHN1CP7HCNM','full','2026-11-27T21:03:12.839Z','2026-11-27T21:03:12.839Z','{"name":"1·ada","notes":""}',NULL,1);
INSERT INTO member VALUES(1,'member_01M8FD3GJV000676WS5J5RFE0A','Bob','bob@example.com',NULL,NULL,NULL,'1980-01-01','rows, sails',NULL,'guest','2026-11-27T21:03:12.987Z','2026-11-27T21:03:12.987Z','{"name":"1·bob","notes":"1·rows 1·sails"}','bob@example.com',1);
INSERT INTO member VALUES(2,'member_01M8FD3GNS000CWNMAWQQEWX4Z','Eve','zoe@example.com','AB123',NULL,NULL,NULL,NULL,NULL,'guest','2026-11-27T21:03:13.081Z','2026-11-27T21:03:13.081Z','{"name":"2·eve","notes":""}','zoe@example.com',1);
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','_member.search','_member.search',0,'CREATE VIRTUAL TABLE "_member.search" using fts5 ("words", content = '''', contentless_delete = 1, detail = none, tokenize = ''ascii'')');
CREATE TABLE IF NOT EXISTS '_member.search_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO "_member.search_data" VALUES(1,X'040f');
INSERT INTO "_member.search_data" VALUES(10,X'00000000ff00000101040400040101010101000001020101020200000103010103030000010401010404000001');
INSERT INTO "_member.search_data" VALUES(137438953473,X'000000260c3031c2b7616e677374726f6d0104037a6f650101046e616d650102046f74657301040e0607');
INSERT INTO "_member.search_data" VALUES(274877906945,X'0000001b073031c2b76164610201046e616d650202046f74657302040907');
INSERT INTO "_member.search_data" VALUES(412316860417,X'0000002a073031c2b7626f62030404726f77730304057361696c730301046e616d650302046f746573030409070807');
INSERT INTO "_member.search_data" VALUES(549755813889,X'0000001b073032c2b76576650401046e616d650402046f74657304040907');
CREATE TABLE IF NOT EXISTS '_member.search_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO "_member.search_idx" VALUES(1,X'',2);
INSERT INTO "_member.search_idx" VALUES(2,X'',2);
INSERT INTO "_member.search_idx" VALUES(3,X'',2);
INSERT INTO "_member.search_idx" VALUES(4,X'',2);
CREATE TABLE IF NOT EXISTS '_member.search_docsize'(id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER);
INSERT INTO "_member.search_docsize" VALUES(1,X'04',1);
INSERT INTO "_member.search_docsize" VALUES(2,X'03',2);
INSERT INTO "_member.search_docsize" VALUES(3,X'05',3);
INSERT INTO "_member.search_docsize" VALUES(4,X'03',4);
CREATE TABLE IF NOT EXISTS '_member.search_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO "_member.search_config" VALUES('version',4);
CREATE TABLE IF NOT EXISTS "trip_leg" (
  "_organization" bigint not null,
  "id" text not null,
  "idx" bigint,
  "trip_id" text,
  "place" text,
  "fee" decimal(18, 2),
  "tax" decimal(18, 2),
  "_version" bigint not null default 1,
  primary key ("_organization", "id")
);
INSERT INTO trip_leg VALUES(1,'trip_leg_01M8FD3H060008RP6NBJFXP0N7',3,'trip_01M8FD3GXB000DG8ASS48A5W64','Pier',1250,88,2);
INSERT INTO trip_leg VALUES(1,'trip_leg_01M8FD3H97000D06RBGJT7D623',2,'trip_01M8FD3GXB000DG8ASS48A5W64','Island',1250,88,1);
INSERT INTO trip_leg VALUES(1,'trip_leg_01M8FD3HBY0009E7MCCKG2XSP2',1,'trip_01M8FD3GXB000DG8ASS48A5W64','Pier again',1250,88,2);
INSERT INTO trip_leg VALUES(1,'trip_leg_01M8FD3NAJ0002EJMRHPBF8VTE',1,'trip_01M8FD3N8D0002AX9D4GNQ3EGM','Island',2250,158,1);
INSERT INTO trip_leg VALUES(1,'trip_leg_01M8FD3NF800049043BGS5N0MV',2,'trip_01M8FD3N8D0002AX9D4GNQ3EGM','Pier again',2250,158,1);
CREATE TABLE IF NOT EXISTS "trip" (
  "_organization" bigint not null,
  "id" text not null,
  "title" text,
  "member_id" text,
  "boat_id" text,
  "status" text default 'planned',
  "legs" bigint,
  "fee" decimal(18, 2),
  "started_at" text,
  "started_by" text,
  "created_at" text not null,
  "updated_at" text not null,
  "_version" bigint not null default 1,
  primary key ("_organization", "id"),
  constraint "trip_member_id_fkey" foreign key ("_organization", "member_id")
    references "member" ("_organization", "id") deferrable initially deferred,
  constraint "trip_boat_id_fkey" foreign key ("_organization", "boat_id")
    references "boat" ("_organization", "id") deferrable initially deferred
);
INSERT INTO trip VALUES(1,'trip_01M8FD3GXB000DG8ASS48A5W64','Round the lake','member_01M8FD3DGP0000FEHN1CP7HCNM','boat_01M8FD3GQX0000S3Y1WD5A2CMR','over',3,3750,'2026-11-27T21:03:18.198Z','o3ywMteAd6','2026-11-27T21:03:13.323Z','2026-11-27T21:03:18.316Z',6);
INSERT INTO trip VALUES(1,'trip_01M8FD3N8D0002AX9D4GNQ3EGM','To the open sea','member_01M8FD3DGP0000FEHN1CP7HCNM','boat_01M8FD3GS70000YW0QGWCSG0GR','planned',2,4500,NULL,NULL,'2026-11-27T21:03:17.773Z','2026-11-27T21:03:18.373Z',4);
CREATE INDEX "_delivery_by_turn"
  on "_delivery" ("_organization", "webhook", "at", "event") where "state" = 'waiting';
CREATE INDEX "_delivery_by_record"
  on "_delivery" ("_organization", "webhook", "record", "event") where "state" = 'waiting';
CREATE INDEX "_delivery_by_age"
  on "_delivery" ("_organization", "at") where "state" <> 'waiting';
CREATE UNIQUE INDEX "_event_by_number" on "_event" ("_organization", "number");
CREATE UNIQUE INDEX "_event_by_version" on "_event" ("_organization", "record", "version");
CREATE INDEX "_event_unnumbered" on "_event" ("_organization", "noted_at") where "number" is null;
CREATE INDEX "_answer_by_time" on "_answer" ("_organization", "time");
CREATE INDEX "_boat.price.decimal(18, 2).desc"
  on "boat" ("_organization", "price", "id");
CREATE INDEX "_boat.price.decimal(18, 2).asc"
  on "boat" ("_organization", "price" is null, "price", "id" desc);
CREATE INDEX "_boat.checked_at.desc"
  on "boat" ("_organization", "checked_at", "id");
CREATE INDEX "_boat.checked_at.asc"
  on "boat" ("_organization", "checked_at" is null, "checked_at", "id" desc);
CREATE INDEX "_boat.weather.desc"
  on "boat" ("_organization", "weather", "id");
CREATE INDEX "_boat.is_ready.boolean.desc"
  on "boat" ("_organization", "is_ready", "id");
CREATE INDEX "_boat.length.double precision.desc"
  on "boat" ("_organization", "length", "id");
CREATE INDEX "_boat.length.double precision.asc"
  on "boat" ("_organization", "length" is null, "length", "id" desc);
CREATE INDEX "_boat.seats.bigint.desc"
  on "boat" ("_organization", "seats", "id");
CREATE INDEX "_boat.seats.bigint.asc"
  on "boat" ("_organization", "seats" is null, "seats", "id" desc);
CREATE UNIQUE INDEX "member_card_unique"
  on "member" ("_organization", "card");
CREATE UNIQUE INDEX "member_team_number_unique"
  on "member" ("_organization", "team", "number");
CREATE UNIQUE INDEX "member_email_unique_ignore_case"
  on "member" ("_organization", "_email_folded");
CREATE INDEX "_member.name.desc"
  on "member" ("_organization", "name", "id");
CREATE INDEX "_member.name.asc"
  on "member" ("_organization", "name" is null, "name", "id" desc);
CREATE INDEX "_member.born_on.desc"
  on "member" ("_organization", "born_on", "id");
CREATE INDEX "_member.sponsor_id.desc"
  on "member" ("_organization", "sponsor_id", "id");
CREATE INDEX "_member.number.bigint.desc"
  on "member" ("_organization", "number", "id");
CREATE INDEX "_member.number.bigint.asc"
  on "member" ("_organization", "number" is null, "number", "id" desc);
CREATE TRIGGER "_member.search.insert" after insert on "member" begin insert into "_member.search" (rowid, "words") values (new._rowid_, new."_search"); end;
CREATE TRIGGER "_member.search.0dd05b82f5dd" after update of "_search" on "member" begin insert or replace into "_member.search" (rowid, "words") values (new._rowid_, new."_search"); end;
CREATE TRIGGER "_member.search.delete" after delete on "member" begin delete from "_member.search" where rowid = old._rowid_; end;
CREATE INDEX "trip_leg_by_parent"
  on "trip_leg" ("_organization", "trip_id", "idx", "id");
CREATE INDEX "_trip.status.desc.backfill-b3436629e845"
  on "trip" ("_organization", coalesce("status", 'planned'), "id");
CREATE INDEX "_trip.fee.decimal(18, 2).desc"
  on "trip" ("_organization", "fee", "id");
CREATE INDEX "_trip.fee.decimal(18, 2).asc"
  on "trip" ("_organization", "fee" is null, "fee", "id" desc);
CREATE INDEX "_trip.member_id.desc"
  on "trip" ("_organization", "member_id", "id");
CREATE INDEX "_trip.boat_id.desc"
  on "trip" ("_organization", "boat_id", "id");
PRAGMA writable_schema=OFF;
COMMIT;
