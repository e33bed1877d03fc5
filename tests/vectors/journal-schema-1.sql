BEGIN TRANSACTION;
CREATE TABLE balances (
    account TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL,
    PRIMARY KEY (account, currency),
    CHECK (amount >= 0 OR account NOT GLOB 'player:*')
) WITHOUT ROWID;
INSERT INTO "balances" VALUES('cashier','EUR',-100000);
INSERT INTO "balances" VALUES('house','EUR',600);
INSERT INTO "balances" VALUES('player:anna','EUR',49000);
INSERT INTO "balances" VALUES('player:ben','EUR',48800);
INSERT INTO "balances" VALUES('table:t1','EUR',1600);
CREATE TABLE events (
    table_id TEXT NOT NULL, sequence INTEGER NOT NULL CHECK (sequence >= 1),
    wall_ns INTEGER NOT NULL, monotonic_ns INTEGER NOT NULL,
    actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, actor_role TEXT NOT NULL,
    cause TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL,
    payload TEXT NOT NULL, raw BLOB NOT NULL, chain BLOB NOT NULL,
    PRIMARY KEY (table_id, sequence)
) WITHOUT ROWID;
INSERT INTO "events" VALUES('t1',1,1700000000000000000,1000000000000,'system','System','system','open','table-opened',1,'{"profile_hash":"67e90983bcad50b8a5ef578666046f91a2feedff4f29e701a8c9e36376f27066","rules_hash":"d459f387a8b1cde23af77a59a3b19bd740aff160cce1da64d7cad5a470e55c65","simulated":true,"variant":"deluxe"}',X'',X'DAEAF5565E39F2E5480E27342C78E3D76074716C34EA7526C016D50C68F92761');
INSERT INTO "events" VALUES('t1',2,1700000000000000000,1000000000000,'shoe-1','shoe-1','device','test','reader-changed',1,'{"device":"shoe-1","load":1,"ordinal":0,"ready":true,"reason":""}',X'',X'1B9951A44DD61E635A7584E37E93E33502E1AB8B725083E988D8805BC19CF1DB');
INSERT INTO "events" VALUES('t1',3,1700000000000000000,1000000000000,'dora','Dora','dealer','test','dealer-signed-on',1,'{"at_wall_ns":1700000000000000000,"dealer":"dora","licence_until":"2099-12-31","name":"Dora"}',X'',X'9656F52B0F67A6E4B2C45FCBA00A742B85414F3183C179586AE80AF64D957DE1');
INSERT INTO "events" VALUES('t1',4,1700000000000000000,1000000000000,'dora','Dora','dealer','test','shoe-step-confirmed',1,'{"step":"loaded"}',X'',X'713EF2CDE55A3B792880612F094CB861B5E160A9165F50FF5363D816AEDF80F6');
INSERT INTO "events" VALUES('t1',5,1700000000000000000,1000000000000,'dora','Dora','dealer','test','shoe-step-confirmed',1,'{"step":"shuffled"}',X'',X'471C3A61743DE8B60E67CECFD4AD6E3309360A58FEDB2FF80A99396ED820D25D');
INSERT INTO "events" VALUES('t1',6,1700000000000000000,1000000000000,'dora','Dora','dealer','test','shoe-step-confirmed',1,'{"step":"cut"}',X'',X'3B5FA42D4806707CCBFD76C8FEA94344435CB306CA3B52A96AB685091493B2E0');
INSERT INTO "events" VALUES('t1',7,1700000000000000000,1000000000000,'dora','Dora','dealer','test','shoe-step-confirmed',1,'{"step":"cut-card-placed"}',X'',X'78A9C8DD08B20D6E420E47A046CC88536615A546BA28FB2DBACFBB6364B4FFC4');
INSERT INTO "events" VALUES('t1',8,1700000000000000000,1000000000000,'dora','Dora','dealer','test','shoe-loaded',1,'{"cut_position":104,"decks":8,"load":1,"shoe":"t1-shoe-1"}',X'',X'E1E2044125422B0D99B0D52F537D1E8C27B18C1678D5144C896F2EAEF0F91B1E');
INSERT INTO "events" VALUES('t1',9,1700000001000000000,1001000000000,'shoe-1','shoe-1','device','test','card-burned',1,'{"at_ns":1001000000000,"card":"AS","draw":1,"face":"up","sighting":{"device":"shoe-1","load":1,"ordinal":1}}',X'',X'3B9C725BCBC31ED77E83F460337218271E768CC9613C105662ACACA99A78E24B');
INSERT INTO "events" VALUES('t1',10,1700000002000000000,1002000000000,'shoe-1','shoe-1','device','test','card-burned',1,'{"at_ns":1002000000000,"card":{"sealed":"f1b02fc44a50ccf8b309ecdcfa9775de52c15ba4d240129ddd0bfef23026890fba9cd08c1b7408ddf08270319f2e7e0d1f287072dc547810aa0feb71"},"draw":2,"face":"down","sighting":{"device":"shoe-1","load":1,"ordinal":2}}',X'C8C357D5A3DDC7A47B6BA279E5BC8670A2E45F463A16992644E6F425241AED06603D73BD5D6BCEE41FAC96806FE7BE8FE06C4111D81FBE07F139AEA8',X'7960F0832931E704E7D9EBB89C2C241A2CD72171F71990108C1343AA2F6BF045');
INSERT INTO "events" VALUES('t1',11,1700000012000000000,1012000000000,'dora','Dora','dealer','open-0','betting-opened',1,'{"deadline_ns":1027000000000,"round":1,"rules_hash":"d459f387a8b1cde23af77a59a3b19bd740aff160cce1da64d7cad5a470e55c65"}',X'',X'85AD5195C91DA83175B949952DD3F993387493508E20AABA1EBD3144DB297D41');
INSERT INTO "events" VALUES('t1',12,1700000012000000000,1012000000000,'anna','anna','player','test','seat-taken',1,'{"player":"anna","seat":1}',X'',X'AC38C69F75A787A0E977E9BDFAB164FC2325FE691432B17056264A69E1AACC8D');
INSERT INTO "events" VALUES('t1',13,1700000012000000000,1012000000000,'anna','anna','player','test','bets-placed',1,'{"bets":{"amounts":[1000],"kinds":["main"],"players":["anna"],"seats":[1]}}',X'',X'97C497080B57A7C6CC952232182AD413207DE8B722F59509C3A4701FFBFCC27B');
INSERT INTO "events" VALUES('t1',14,1700000012000000000,1012000000000,'ben','ben','player','test','seat-taken',1,'{"player":"ben","seat":2}',X'',X'96659E49E586A50911CED2C7238D0236F297E9C43D7CBE8066285D5D7F170D5A');
INSERT INTO "events" VALUES('t1',15,1700000012000000000,1012000000000,'ben','ben','player','test','bets-placed',1,'{"bets":{"amounts":[600],"kinds":["main"],"players":["ben"],"seats":[2]}}',X'',X'F76AE38ED04BAE5E9A3D2F61A8B68731D58DDA5BB9027693DD9834A2D8595448');
INSERT INTO "events" VALUES('t1',16,1700000012000000000,1012000000000,'dora','Dora','dealer','test','betting-closed',1,'{}',X'',X'E0D249AF43C320E2A9C3DE65B754A44440EC69500CA74CF043A4E2C8C0CE81A9');
INSERT INTO "events" VALUES('t1',17,1700000013000000000,1013000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1013000000000,"card":"TC","draw":3,"sighting":{"device":"shoe-1","load":1,"ordinal":3},"slot":{"face":"up","hand":{"number":1,"seat":1},"position":1}}',X'',X'0D87B116989232A0207583DBF2C3EBA2FC44113F286FD321BAA4ED2A2A219214');
INSERT INTO "events" VALUES('t1',18,1700000014000000000,1014000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1014000000000,"card":"8D","draw":4,"sighting":{"device":"shoe-1","load":1,"ordinal":4},"slot":{"face":"up","hand":{"number":1,"seat":2},"position":1}}',X'',X'64DC43A7C6FA9B272DFDF7F79603241AF171A5F8EF4F9BC8D402C0FDAD42425D');
INSERT INTO "events" VALUES('t1',19,1700000015000000000,1015000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1015000000000,"card":"9C","draw":5,"sighting":{"device":"shoe-1","load":1,"ordinal":5},"slot":{"face":"up","hand":null,"position":1}}',X'',X'424E0048BCDF1FEB8D6D7E30A0692787CA56344D4CE3288295E92E0B22DF77F0');
INSERT INTO "events" VALUES('t1',20,1700000016000000000,1016000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1016000000000,"card":"9D","draw":6,"sighting":{"device":"shoe-1","load":1,"ordinal":6},"slot":{"face":"up","hand":{"number":1,"seat":1},"position":2}}',X'',X'6A97AAD30C5FABB1026BDA7FC8A3964BF99B928CB0A366142913761E9AB7CDF7');
INSERT INTO "events" VALUES('t1',21,1700000017000000000,1017000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1017000000000,"card":"8S","draw":7,"sighting":{"device":"shoe-1","load":1,"ordinal":7},"slot":{"face":"up","hand":{"number":1,"seat":2},"position":2}}',X'',X'703DAF4620F8CD2CD4A9F8768F251C0B8A6EB03C4CA9D92AF0ECCD6464632B68');
INSERT INTO "events" VALUES('t1',22,1700000018000000000,1018000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1018000000000,"card":{"sealed":"7c421836d013f2843ca219d20a3f9172a0fb44f943a1093f4ae8a0f236b7003c3d69723d3612ecf462fa7bdc069cc685cc02cce177883f76efc54358"},"draw":8,"sighting":{"device":"shoe-1","load":1,"ordinal":8},"slot":{"face":"down","hand":null,"position":2}}',X'773E2211996478040E0AA7F10E453248CBAD0795722E4B16C1719482AA5F2DF9B4C27ADAC95CC08B3662FF9F6F52C3C6D8ED09AE2A5006BFE305F923',X'4AAEE0166B491B94CA99B0B0AAD0DC83A37679E5413097C06F8BC7866C3F1BA4');
INSERT INTO "events" VALUES('t1',23,1700000018000000000,1018000000000,'shoe-1','shoe-1','device','test','decision-asked',1,'{"deadline_ns":1030000000000,"decision":1,"hand":{"number":1,"seat":1}}',X'',X'C00A6367352CA6B1CAABDB62D910C3CB6ECC098063EACFD4E2D2479AE5F9A9BB');
INSERT INTO "events" VALUES('t1',24,1700000018000000000,1018000000000,'anna','anna','player','test','decision-taken',1,'{"action":"stand","added_stake":0,"asked":"stand","cause":"player","hand":{"number":1,"seat":1}}',X'',X'500AADFCEE324B2F9B515265E261D5CF0B2E4A415D204459A518D7E3349F0882');
INSERT INTO "events" VALUES('t1',25,1700000018000000000,1018000000000,'anna','anna','player','test','decision-asked',1,'{"deadline_ns":1030000000000,"decision":2,"hand":{"number":1,"seat":2}}',X'',X'3F6D9283794C50103D3DEE68F7EB451B621141F584660D6E856B79D63D6943C7');
INSERT INTO "events" VALUES('t1',26,1700000018000000000,1018000000000,'ben','ben','player','test','decision-taken',1,'{"action":"stand","added_stake":0,"asked":"stand","cause":"player","hand":{"number":1,"seat":2}}',X'',X'18E0C527AD567F334CB878572B05737A6A9EAD4F3F0D2CA1F0FECBF4DC49F704');
INSERT INTO "events" VALUES('t1',27,1700000018000000000,1018000000000,'ben','ben','player','test','hole-revealed',1,'{"card":"QH"}',X'',X'79EF644CBF575A30946493F5B00DB85C4DBE5F1C74DC6E8B9BADFD1B81930F2C');
INSERT INTO "events" VALUES('t1',28,1700000018000000000,1018000000000,'dora','Dora','dealer','test','result-committed',1,'{}',X'',X'B6DB37A5F4610DA81143E0A7703E0FDF83CEE05E136209796ACE2AD481396E38');
INSERT INTO "events" VALUES('t1',29,1700000018000000000,1018000000000,'dora','Dora','dealer','test','round-settled',1,'{"results":{"hands":[1,1],"kinds":["main","main"],"players":["anna","ben"],"returned":[1000,0],"seats":[1,2],"stakes":[1000,600]}}',X'',X'F29DF713B749DBEAB5D78F72241148FFE8C8A24260A9792288C0E9675A5A7BC0');
INSERT INTO "events" VALUES('t1',30,1700000018000000000,1018000000000,'dora','Dora','dealer','test','round-closed',1,'{"round":1}',X'',X'59A9F9F3B866235E640F63EE09B1001D369734656249CB30994E6C812C207A1A');
INSERT INTO "events" VALUES('t1',31,1700000028000000000,1028000000000,'dora','Dora','dealer','open-1','betting-opened',1,'{"deadline_ns":1043000000000,"round":2,"rules_hash":"d459f387a8b1cde23af77a59a3b19bd740aff160cce1da64d7cad5a470e55c65"}',X'',X'B09B787CB5E7563AF25F227E483D7F13102308BB19987DBB318E48974B487763');
INSERT INTO "events" VALUES('t1',32,1700000028000000000,1028000000000,'anna','anna','player','test','bets-placed',1,'{"bets":{"amounts":[1000],"kinds":["main"],"players":["anna"],"seats":[1]}}',X'',X'5B0867467B262687FD25ED17A1FE5694EE318F5A23C82F211E7F33D4FAC97545');
INSERT INTO "events" VALUES('t1',33,1700000028000000000,1028000000000,'ben','ben','player','test','bets-placed',1,'{"bets":{"amounts":[600],"kinds":["main"],"players":["ben"],"seats":[2]}}',X'',X'B33067713AD548976AFB8CB7AC72BD69AA26B74883401186C8B951A297724CFC');
INSERT INTO "events" VALUES('t1',34,1700000028000000000,1028000000000,'dora','Dora','dealer','test','betting-closed',1,'{}',X'',X'FB91FB689F2F4DDB9F25DA60B2C88F1F30454FCD27E84C2C489DCB539288FACA');
INSERT INTO "events" VALUES('t1',35,1700000029000000000,1029000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1029000000000,"card":"TC","draw":9,"sighting":{"device":"shoe-1","load":1,"ordinal":9},"slot":{"face":"up","hand":{"number":1,"seat":1},"position":1}}',X'',X'581273A8BAB4E9634BCF866919914EE2E8B40AC5313E12F0428E0565A9AA3EBB');
INSERT INTO "events" VALUES('t1',36,1700000030000000000,1030000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1030000000000,"card":"8D","draw":10,"sighting":{"device":"shoe-1","load":1,"ordinal":10},"slot":{"face":"up","hand":{"number":1,"seat":2},"position":1}}',X'',X'982C8A0EF915F8D3C6BACECE557035837C658FCDF2CBC707A8F2F536B4B59DD8');
INSERT INTO "events" VALUES('t1',37,1700000031000000000,1031000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1031000000000,"card":"9C","draw":11,"sighting":{"device":"shoe-1","load":1,"ordinal":11},"slot":{"face":"up","hand":null,"position":1}}',X'',X'C1C5D5D9873C8CFB62A601E766E1B023F3D246E64C64092B8D13A6B7B6656EF4');
INSERT INTO "events" VALUES('t1',38,1700000032000000000,1032000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1032000000000,"card":"9D","draw":12,"sighting":{"device":"shoe-1","load":1,"ordinal":12},"slot":{"face":"up","hand":{"number":1,"seat":1},"position":2}}',X'',X'D243EAC692B5C914CF8D23FED3FED05522EE378664CB573AFE303190DF041C04');
INSERT INTO "events" VALUES('t1',39,1700000033000000000,1033000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1033000000000,"card":"8S","draw":13,"sighting":{"device":"shoe-1","load":1,"ordinal":13},"slot":{"face":"up","hand":{"number":1,"seat":2},"position":2}}',X'',X'5080D2420CAF3F0CDAA4E0944809314F396DCE6EFDE7AB0BE9AC449CBD8ABAC9');
INSERT INTO "events" VALUES('t1',40,1700000034000000000,1034000000000,'shoe-1','shoe-1','device','test','card-dealt',1,'{"at_ns":1034000000000,"card":{"sealed":"b4edb1b945e18847ad6ba89b0eebf1e17f9adb729bf0ab4819be180463e723d130928a318a69f4433377bd4fa0f4a33bbba509c77a58e34247c720d5"},"draw":14,"sighting":{"device":"shoe-1","load":1,"ordinal":14},"slot":{"face":"down","hand":null,"position":2}}',X'E87D1E4D49F4043F14CE2F491A9CC6D17BC955C507A22504FE20C5B358E0D7BE088B109DE7D45A625407F7714780C4ADFAAD4AC14FB37E538FC66195',X'DF5BA37C989A07B60FB77FB59AC1522AC95FD549035B2C98EEBFBAE18E93A477');
INSERT INTO "events" VALUES('t1',41,1700000034000000000,1034000000000,'shoe-1','shoe-1','device','test','decision-asked',1,'{"deadline_ns":1046000000000,"decision":1,"hand":{"number":1,"seat":1}}',X'',X'4845B5CF70F9AA37E67B81DDC85D581682875F46E3FC34C39DAFE24ED937066D');
INSERT INTO "events" VALUES('t1',42,1700000034000000000,1034000000000,'sam','Sam','supervisor','test','anomaly-detected',1,'{"detail":"Sam: look","draw":null,"incident":1,"kind":"supervisor-stop","stopped_ns":1034000000000}',X'',X'BC44A86C082F66B4A25BFAF3D502DE7D24045CFF402ACEFF34E1D544FAB27B10');
INSERT INTO "events" VALUES('t1',43,1700000034000000000,1034000000000,'sam','Sam','supervisor','test','incident-resolved',1,'{"deadline_ns":1046000000000,"incident":1,"reason":"ok","text":"seen","way_out":"go-on"}',X'',X'5A815FF4C9A20A29A21F568D03DAA510ECFC2A5AC14FD1F4B19A7FC2473384D5');
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
INSERT INTO "meta" VALUES('schema','1');
INSERT INTO "meta" VALUES('world','simulated');
CREATE TABLE receipts (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "receipts" VALUES('open-0','f',200,'{"ok":true}');
INSERT INTO "receipts" VALUES('open-1','f',200,'{"ok":true}');
CREATE TABLE refusals (
    number INTEGER PRIMARY KEY, table_id TEXT NOT NULL, wall_ns INTEGER NOT NULL, monotonic_ns INTEGER NOT NULL,
    actor_id TEXT NOT NULL, actor_name TEXT NOT NULL, actor_role TEXT NOT NULL,
    command TEXT NOT NULL, code TEXT NOT NULL, text TEXT NOT NULL
);
CREATE TABLE transfer_batches (
    table_id TEXT NOT NULL, sequence INTEGER NOT NULL, wall_ns INTEGER NOT NULL, currency TEXT NOT NULL,
    columns TEXT NOT NULL,
    PRIMARY KEY (table_id, sequence)
);
CREATE TABLE transfers (
    id TEXT PRIMARY KEY, wall_ns INTEGER NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    currency TEXT NOT NULL, amount INTEGER NOT NULL CHECK (amount > 0), cause TEXT NOT NULL
);
INSERT INTO "transfers" VALUES('deposit:opening:anna',1700000000000000000,'cashier','player:anna','EUR',50000,'deposit');
INSERT INTO "transfers" VALUES('deposit:opening:ben',1700000000000000000,'cashier','player:ben','EUR',50000,'deposit');
INSERT INTO "transfers" VALUES('t1:13:0',1700000012000000000,'player:anna','table:t1','EUR',1000,'main bet');
INSERT INTO "transfers" VALUES('t1:15:0',1700000012000000000,'player:ben','table:t1','EUR',600,'main bet');
INSERT INTO "transfers" VALUES('t1:29:0',1700000018000000000,'table:t1','player:anna','EUR',1000,'main returned');
INSERT INTO "transfers" VALUES('t1:29:1',1700000018000000000,'table:t1','house','EUR',600,'main lost');
INSERT INTO "transfers" VALUES('t1:32:0',1700000028000000000,'player:anna','table:t1','EUR',1000,'main bet');
INSERT INTO "transfers" VALUES('t1:33:0',1700000028000000000,'player:ben','table:t1','EUR',600,'main bet');
CREATE INDEX transfers_from ON transfers (source, wall_ns) WHERE source GLOB 'player:*';
CREATE INDEX transfers_to ON transfers (target, wall_ns) WHERE target GLOB 'player:*';
COMMIT;
