import { X509Certificate } from "node:crypto";
import { quoted } from "@gridlock/game";
import { readPlain, reasonOf } from "@gridlock/store";
import { ClusterError } from "./errors.js";

/** The address and login of a run's Redis server, and the prefix of its keys. */
export interface RedisOptions {
  /**
   * `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, or `rediss://…` for TLS. User and password
   * are percent-encoded. Default port: 6379; default database: 0.
   */
  readonly url: string;
  /** The password, for a URL without one. */
  readonly password?: string | undefined;
  /** The prefix of all keys of a run, without the braces that {@link keyPrefix} adds. */
  readonly prefix: string;
  /** True if the server is a node of a Redis Cluster. */
  readonly cluster: boolean;
  /** A PEM file of certificate authorities to trust, instead of those that Node trusts. */
  readonly ca?: string | undefined;
}

/** A server's address and the login data, as ioredis takes them. */
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
 * Returns the prefix of every key. Its braces make it a hash tag: Redis Cluster puts all keys of a
 * run into one slot, so that one script can access several of them. Pass it to BullMQ as `prefix`,
 * never to ioredis as `keyPrefix`.
 *
 * @throws {ClusterError} "bad-url" if it has characters other than letters, digits, `-`, `_` and
 *   `.`
 */
export function keyPrefix({ prefix }: Pick<RedisOptions, "prefix">): string {
  if (!/^[A-Za-z0-9_.-]+$/.test(prefix)) {
    throw new ClusterError(
      "bad-url",
      `the prefix ${quoted(prefix)} cannot be used; expected letters, digits, "-", "_" and "."`,
    );
  }
  return `{${prefix}}`;
}

/** Returns an endpoint's host and port for messages, without secrets. */
export function nameOf({ host, port }: Endpoint): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Parses the URL and reads the file of certificates.
 *
 * @throws {ClusterError} "bad-url" if the URL is invalid; "tls" if the file has no certificate
 */
export function endpointOf({ url, password: given, cluster, ca }: RedisOptions): Endpoint {
  const refuse = (reason: string, expected = EXPECTED) =>
    new ClusterError("bad-url", `${withoutSecrets(url)} ${reason}; ${expected}`);

  if (!/^rediss?:\/\//i.test(url)) throw refuse("is not the URL of a Redis server");
  if (!URL.canParse(url)) {
    throw refuse(
      "is not a valid URL",
      `${EXPECTED}, with all characters other than letters and digits in USER and PASSWORD percent-encoded (%40 for @)`,
    );
  }
  const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "") throw refuse("names no host");
  if (search !== "" || hash !== "") throw refuse("has text after the database");
  const database = /^\/?(\d{0,9})$/.exec(pathname)?.[1];
  if (database === undefined) throw refuse("has a database that is not a number");
  if (cluster && Number(database) !== 0) {
    throw refuse(
      `names database ${database}`,
      "expected database 0, the only one of a Redis Cluster",
    );
  }
  if (username !== "" && password === "" && given === undefined) {
    throw refuse("has a user but no password");
  }
  const tls = protocol === "rediss:";
  if (ca !== undefined && !tls) {
    throw refuse("does not use TLS, but a certificate was given", "expected rediss://");
  }
  return {
    host,
    port: port === "" ? 6379 : Number(port),
    db: Number(database),
    login: {
      ...(username === "" ? {} : { username: decoded(username, refuse) }),
      ...(password === ""
        ? given !== undefined && { password: given }
        : { password: decoded(password, refuse) }),
      ...(tls ? { tls: ca === undefined ? {} : { ca: readCertificates(ca) } } : {}),
    },
  };
}

function decoded(text: string, refuse: (reason: string, expected: string) => ClusterError): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refuse("has a % without two hexadecimal digits after it", "expected %25 for a literal %");
  }
}

/**
 * Returns a URL without its secrets. A URL that it cannot take apart may have the password anywhere
 * (an unescaped `/` or `#` in a password seems to end the host), so it shows only the scheme of
 * such a URL.
 */
function withoutSecrets(url: string): string {
  const scheme = /^[a-z]+:\/\//i.exec(url)?.[0] ?? "";
  const rest = url.slice(scheme.length);
  const [, secrets, address] =
    /^(.*@)?((?:[\w.-]*|\[[\da-f:.]*\])(?::\d*)?(?:\/\w*)?)$/i.exec(rest) ?? [];
  return `${scheme}${address === undefined || secrets ? "***" : ""}${secrets ? "@" : ""}${address ?? ""}`;
}

/** Most bytes of a file of certificates; those of all public authorities take a quarter. */
const MOST_PEM = 2 ** 20;

function readCertificates(file: string): string {
  let pem: string;
  try {
    pem = readPlain(file, MOST_PEM).toString();
    new X509Certificate(pem);
  } catch (error) {
    throw new ClusterError(
      "tls",
      `${file} cannot be used; expected a file of certificates in PEM (${reasonOf(error)})`,
      { cause: error },
    );
  }
  return pem;
}
