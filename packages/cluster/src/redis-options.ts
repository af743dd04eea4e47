import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ClusterError } from "./errors.js";

/** How to reach the Redis server of a run. */
export interface RedisOptions {
  /**
   * `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, or `rediss://…` for TLS. User and password are
   * percent-encoded, the port is 6379 and the database 0 unless given.
   */
  readonly url: string;
  /** What all keys of a run begin with, in braces; see `keyPrefix`. */
  readonly prefix: string;
  /** Whether the server is a node of a Redis Cluster. */
  readonly cluster: boolean;
  /** A PEM file with the certificates of the authorities to trust, instead of those that Node trusts. */
  readonly ca?: string | undefined;
}

/** A server's address and what it is to be told at each login, as ioredis wants them. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly login: {
    readonly username?: string;
    readonly password?: string;
    readonly tls?: { readonly ca?: string };
  };
}

const EXPECTED = "expected redis://USER:PASSWORD@HOST:PORT/DATABASE, or rediss:// for TLS";

/**
 * What every key begins with. The braces make it a hash tag, by which Redis Cluster puts all keys of a run
 * into one slot, so that a script may touch them together. To be given to BullMQ as `prefix`, never to
 * ioredis as `keyPrefix`.
 *
 * @throws {ClusterError} "bad-url" when it has other characters than letters, digits, `-`, `_` and `.`
 */
export function keyPrefix({ prefix }: Pick<RedisOptions, "prefix">): string {
  if (!/^[A-Za-z0-9_.-]+$/.test(prefix)) {
    throw new ClusterError(
      "bad-url",
      `the prefix ${JSON.stringify(prefix)} cannot be used; expected letters, digits, "-", "_" and "."`,
    );
  }
  return `{${prefix}}`;
}

/** An endpoint as people write it, with nothing secret. */
export function nameOf({ host, port }: Endpoint): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Reads the URL, and the file of certificates.
 *
 * @throws {ClusterError} "bad-url"; "tls" when there is no certificate in the file
 */
export function endpointOf({ url, cluster, ca }: RedisOptions): Endpoint {
  const refuse = (reason: string, expected = EXPECTED) =>
    new ClusterError("bad-url", `${withoutSecrets(url)} ${reason}; ${expected}`);

  if (!/^rediss?:\/\//i.test(url)) throw refuse("is no URL of a Redis server");
  if (!URL.canParse(url)) {
    throw refuse(
      "cannot be read",
      `${EXPECTED}, with other characters than letters and digits in USER and PASSWORD written as %40`,
    );
  }
  const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "") throw refuse("names no host");
  if (search !== "" || hash !== "") throw refuse("has something behind the database");
  const database = /^\/?(\d{0,9})$/.exec(pathname)?.[1];
  if (database === undefined) throw refuse("names no database by its number");
  if (cluster && Number(database) !== 0) {
    throw refuse(
      `names database ${database}`,
      "expected database 0, the only one of a Redis Cluster",
    );
  }
  if (username !== "" && password === "") throw refuse("has a user and no password");
  const tls = protocol === "rediss:";
  if (ca !== undefined && !tls) {
    throw refuse("uses no TLS, and a certificate was given", "expected rediss://");
  }
  return {
    host,
    port: port === "" ? 6379 : Number(port),
    db: Number(database),
    login: {
      ...(username === "" ? {} : { username: decoded(username, refuse) }),
      ...(password === "" ? {} : { password: decoded(password, refuse) }),
      ...(tls ? { tls: ca === undefined ? {} : { ca: readCertificates(ca) } } : {}),
    },
  };
}

function decoded(text: string, refuse: (reason: string, expected: string) => ClusterError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse("has a % that no two hexadecimal digits follow", "expected %25 for a % itself");
  }
}

/**
 * A URL as it may be shown. What it cannot take apart may have the password anywhere, and is not shown at all:
 * an unescaped `/` or `#` in a password ends what a URL takes for the host.
 */
function withoutSecrets(url: string): string {
  const scheme = /^[a-z]+:\/\//i.exec(url)?.[0] ?? "";
  const rest = url.slice(scheme.length);
  const [, secrets, address] =
    /^(.*@)?((?:[\w.-]*|\[[\da-f:.]*\])(?::\d*)?(?:\/\w*)?)$/i.exec(rest) ?? [];
  return `${scheme}${address === undefined || secrets ? "***" : ""}${secrets ? "@" : ""}${address ?? ""}`;
}

function readCertificates(file: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
    new X509Certificate(pem);
  } catch (error) {
    throw new ClusterError(
      "tls",
      `${file} cannot be used; expected a file of certificates in PEM (${(error as Error).message})`,
      { cause: error },
    );
  }
  return pem;
}
