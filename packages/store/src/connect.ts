import Sqlite from "better-sqlite3";

/**
 * The connections and statements of this thread, so that none is collected: Node.js 24.19 and newer
 * versions of 24 abort when an object of a driver that was compiled for them is
 * (nodejs/node#65446). A ready-made driver is older.
 */
const pinned: object[] = [];

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const mustPin = major === 24 && minor >= 19;

/** A connection to a file. */
export type Connection = Sqlite.Database & Disposable;

/**
 * Opens a connection. It prepares each text once, and sets pragmas without a statement, so that a
 * program that runs for days has few statements. So a text must be prepared in one place alone,
 * whose modes (such as `pluck`) it keeps; while its rows are being read there, it is prepared anew.
 */
export function connect(file: string, options?: Sqlite.Options): Connection {
  const opened = new Sqlite(file, options);
  const sqlite = Object.assign(opened, { [Symbol.dispose]: () => void opened.close() });
  const statements = new Map<string, Sqlite.Statement>();
  if (mustPin) pinned.push(sqlite);
  const { prepare } = sqlite;
  const prepareOnce = (source: string): Sqlite.Statement => {
    const known = statements.get(source);
    if (known && !known.busy) return known;
    const made = prepare.call(sqlite, source);
    statements.set(source, made);
    if (mustPin) pinned.push(made);
    return made;
  };
  sqlite.prepare = prepareOnce as Sqlite.Database["prepare"];
  sqlite.pragma = (source, { simple = false } = {}) => {
    if (source.includes("=")) return sqlite.exec(`PRAGMA ${source}`) && [];
    const query = prepareOnce(`PRAGMA ${source}`).pluck(simple);
    return simple ? query.get() : query.all();
  };
  return sqlite;
}
