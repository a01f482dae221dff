import { parentPort, workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";

/** Makes a database file as SQLite makes it by itself, and keeps its write lock for a while after telling so. */
const { path, ms } = workerData;
const connection = new Sqlite(path);
connection.exec("create table shelf (id integer); begin immediate");
parentPort?.postMessage("locked");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
connection.exec("commit");
connection.close();
