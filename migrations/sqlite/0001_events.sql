-- Why: the book itself. `events` is the truth and is only ever added to; `subjects` and `aliases` are
-- projections of it that `tally rebuild` can make again.
--
-- Invariants: an event's number is subject_no * 2^20 + version, so that a settlement's events lie side
-- by side and (subject, version) is unique with no further index. Positions are unique in a ledger,
-- and 1, 2, 3, … without a gap (the writer sees to that, readers check it). `checksum` is over all
-- other columns of its row. Long keys are indexed by 8 bytes of their digest, and then compared.
--
-- Cost: what a commit writes is pages, and a random key dirties one of its own. So keys are made to
-- lie by what was written lately: subjects are numbered as they come, events whose ids begin with a
-- time (UUIDv7, ULID, ours) lie by it, aliases of one session or of one payment lie together. Left
-- for a settlement are four random pages: its id, its nonce, its transaction, its session.

CREATE TABLE schema (
  version    INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  checksum   TEXT    NOT NULL,  -- SHA-256 of the migration's text
  applied_us INTEGER NOT NULL
);

CREATE TABLE ledgers (
  ledger_no  INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL UNIQUE,
  role       TEXT    NOT NULL CHECK (role IN ('seller', 'buyer', 'facilitator')),
  created_us INTEGER NOT NULL
);

CREATE TABLE endpoint_names (
  ledger_no INTEGER NOT NULL REFERENCES ledgers,
  name      TEXT    NOT NULL,
  endpoint  TEXT    NOT NULL,
  PRIMARY KEY (ledger_no, name)
) WITHOUT ROWID;

-- What events are filed under, with what a list needs to choose rows (null until summarised).
CREATE TABLE subjects (
  subject_no     INTEGER PRIMARY KEY,
  ledger_no      INTEGER NOT NULL REFERENCES ledgers,
  kind           INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
  key            TEXT    NOT NULL,
  key_hash       INTEGER NOT NULL,  -- 8 bytes of SHA-256 of ledger, kind and key
  first_us       INTEGER,
  last_us        INTEGER,
  label          TEXT,
  fresh_until_us INTEGER,
  payer          TEXT,
  tool           TEXT,
  is_listed      INTEGER NOT NULL DEFAULT 0 CHECK (is_listed IN (0, 1))
);

CREATE INDEX subjects_by_key ON subjects (key_hash);

CREATE INDEX subjects_listed ON subjects (ledger_no, first_us) WHERE is_listed = 1;

CREATE TABLE events (
  event_no    INTEGER PRIMARY KEY CHECK (event_no & 1048575 > 0),
  ledger_no   INTEGER NOT NULL REFERENCES ledgers,
  position    INTEGER NOT NULL CHECK (position > 0),
  event_key   INTEGER NOT NULL,  -- the time in the event's id and a hash of the id, else the hash
  recorded_us INTEGER NOT NULL,
  envelope    BLOB    NOT NULL,  -- tallystick.storage.v1.Envelope
  checksum    INTEGER NOT NULL,  -- first 8 bytes of SHA-256 of the columns before it
  UNIQUE (ledger_no, position)
);

CREATE INDEX events_by_key ON events (event_key);

-- `alias_key` is 4 bytes of the digest of what it lies by (a session, a nonce), the kind, and 16
-- bytes of the digest of the value: too long for anyone to aim at somebody else's. `side` and `at_us`
-- are 0 except for scopes: there 1 is a challenge, and the time is the event's, so that challenges
-- and presentations find each other in one probe.
CREATE TABLE aliases (
  ledger_no  INTEGER NOT NULL REFERENCES ledgers,
  alias_key  BLOB    NOT NULL CHECK (length(alias_key) = 21),
  side       INTEGER NOT NULL,
  at_us      INTEGER NOT NULL,
  subject_no INTEGER NOT NULL REFERENCES subjects,
  PRIMARY KEY (ledger_no, alias_key, side, at_us, subject_no)
) WITHOUT ROWID;
