import { ClusterError } from "./errors.js";
import { type Endpoint, keyPrefix, nameOf, type RedisOptions } from "./redis-options.js";

/** OpenSSL's codes for a certificate that no trusted authority has signed. */
const NOT_TRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Returns the rights that the user of a run needs, in the notation of Redis ACLs. */
function rightsOf(options: RedisOptions): string {
  const prefix = keyPrefix(options);
  return `~${prefix}:* &${prefix}:* +@all -@admin -@dangerous +info +client|list`;
}

/**
 * Explains in a sentence why a server could not be used, and what to do.
 *
 * @param error from ioredis: an error of the system, of TLS or of the parser, or the server's reply
 */
export function explain(options: RedisOptions, endpoint: Endpoint, error: Error): ClusterError {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return fromSystem(endpoint, code, error);
  const { password } = endpoint.login;
  // Replies to unknown commands repeat the arguments. The error itself is no `cause`: ioredis keeps
  // the login in it.
  const message = password ? error.message.replaceAll(password, "***") : error.message;
  return fromServer(options, endpoint, message);
}

const PASSING = { passing: true } as const;

function fromSystem(endpoint: Endpoint, systemCode: string, error: Error): ClusterError {
  const redis = `Redis at ${nameOf(endpoint)}`;
  if (systemCode === "ECONNREFUSED") {
    return new ClusterError(
      "unreachable",
      `${redis} refused the connection; expected a server that listens there`,
      PASSING,
    );
  }
  if (systemCode === "ENOTFOUND" || systemCode === "EAI_AGAIN") {
    return new ClusterError(
      "unreachable",
      `the host ${endpoint.host} was not found; expected a name that resolves, or an address (${systemCode})`,
      { passing: systemCode === "EAI_AGAIN" },
    );
  }
  if (endpoint.login.tls && !isOfSystem(error)) {
    return new ClusterError("tls", fromTls(redis, systemCode, error));
  }
  if (systemCode === "ECONNRESET" || systemCode === "EPIPE") return hungUp(endpoint);
  return new ClusterError(
    "unreachable",
    `${redis} cannot be reached from here; expected a network route to it (${error.message || systemCode})`,
    PASSING,
  );
}

/** Returns whether a system call failed; errors of TLS have a code too, but no system call. */
function isOfSystem(error: Error): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall !== undefined && code !== "EPROTO";
}

function fromTls(redis: string, systemCode: string, { message }: Error): string {
  if (NOT_TRUSTED.has(systemCode)) {
    return `the certificate of ${redis} is not trusted; name the file of its authority's certificate with --redis-ca (${message})`;
  }
  if (systemCode === "ECONNRESET" || /wrong version number|packet length too long/.test(message)) {
    return `${redis} does not speak TLS on this port; expected one that does, or redis:// in place of rediss://`;
  }
  return `no secure connection to ${redis} could be made; expected a certificate that is valid for this host (${message})`;
}

/** Explains a connection that was closed when an answer was due. */
function hungUp(endpoint: Endpoint): ClusterError {
  return new ClusterError(
    "not-redis",
    `${nameOf(endpoint)} closed the connection without an answer; expected a Redis server, or rediss:// if it requires TLS`,
    PASSING,
  );
}

function fromServer(options: RedisOptions, endpoint: Endpoint, message: string): ClusterError {
  const redis = `Redis at ${nameOf(endpoint)}`;
  const { username } = endpoint.login;
  if (message === "Connection is closed.") return hungUp(endpoint);
  if (message.startsWith("NOAUTH")) {
    return new ClusterError(
      "refused-login",
      `${redis} asks for a password; expected one in the file of --redis-password-file or in GRIDLOCK_REDIS_PASSWORD (${message})`,
    );
  }
  if (/^WRONGPASS|^ERR invalid password/.test(message)) {
    const who = username === undefined ? "the password" : `the user ${username} or its password`;
    return new ClusterError(
      "refused-login",
      `${redis} rejected ${who}; expected valid ones (${message})`,
    );
  }
  if (/NOPERM|ACL failure|The user executing the script can't/.test(message)) {
    return new ClusterError(
      "refused-login",
      `${redis} denies the user ${username ?? "default"} a right that a run needs; expected the rights ${rightsOf(options)} (${message})`,
    );
  }
  if (message.startsWith("DENIED")) {
    return new ClusterError(
      "refused-login",
      `${redis} is in protected mode; expected one with a password, for other machines to use it`,
    );
  }
  if (message.includes("DB index is out of range")) {
    return new ClusterError(
      "bad-url",
      `${redis} has no database ${endpoint.db}; expected a smaller number (${message})`,
    );
  }
  if (message.includes("not allowed in cluster mode")) return otherMode(endpoint, true);
  if (/READONLY|UNBLOCKED|OOM|MISCONF|NOREPLICAS/.test(message)) {
    return new ClusterError(
      "not-writable",
      `${redis} does not accept writes; expected a primary with free memory and disk (${message})`,
    );
  }
  if (/LOADING|MASTERDOWN|max number of clients|CLUSTERDOWN|BUSY/.test(message)) {
    return new ClusterError(
      "unreachable",
      `${redis} is not ready; expected one that accepts commands (${message})`,
      PASSING,
    );
  }
  return new ClusterError(
    "not-redis",
    `${nameOf(endpoint)} does not answer like Redis; expected a Redis server (${message.replace(". Please report this.", "")})`,
  );
}

/** Explains a node of a cluster where a single server was expected, or the reverse. */
export function otherMode(endpoint: Endpoint, isCluster: boolean): ClusterError {
  const redis = `Redis at ${nameOf(endpoint)}`;
  return new ClusterError(
    "cluster-mode",
    isCluster
      ? `${redis} is a node of a Redis Cluster; expected a single server, or --redis-cluster`
      : `${redis} is a single server; expected a node of a Redis Cluster, as --redis-cluster says`,
  );
}
