import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkServer } from "../src/server-check.js";
import { optionsOf, testRedis } from "./redis.js";
import { client, fault, listening, portOfNobody } from "./servers.js";

const openssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!openssl)("TLS", () => {
  /** Starts a server with TLS on one port and no plain port, with a self-signed certificate. */
  async function secureRedis() {
    const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const key = join(folder, "key.pem");
    const ca = join(folder, "cert.pem");
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
        ...["-keyout", key, "-out", ca, "-days", "2", "-subj", "/CN=gridlock"],
        ...["-addext", "subjectAltName=IP:127.0.0.1"],
      ],
      { stdio: "pipe" },
    );
    const port = await portOfNobody();
    await testRedis({
      extra: [
        ...["--tls-port", `${port}`, "--tls-cert-file", ca, "--tls-key-file", key],
        ...["--tls-auth-clients", "no"],
      ],
    });
    return { ca, port, options: optionsOf(`rediss://127.0.0.1:${port}`) };
  }

  it("is used if the certificate is named", async () => {
    const { ca, options } = await secureRedis();
    await checkServer({ ...options, ca });
    expect(await client({ ...options, ca }, "commands").ping()).toBe("PONG");
  });

  it("is rejected if the certificate is not trusted or is for another host", async () => {
    const { ca, options, port } = await secureRedis();
    expect(await fault(options)).toEqual({
      code: "tls",
      message: `the certificate of Redis at 127.0.0.1:${port} is not trusted; name the file of its authority's certificate with --redis-ca (self-signed certificate)`,
    });
    const other = await fault({ ...options, url: `rediss://localhost:${port}`, ca });
    expect(other.code).toBe("tls");
    expect(other.message).toContain("expected a certificate that is valid for this host");
  });

  it("must be used by both sides or by neither", async () => {
    const { port } = await secureRedis();
    const web = await listening(createHttpServer());
    const secureToWeb = await fault(optionsOf(`rediss://127.0.0.1:${web}`));
    expect(secureToWeb.code).toBe("tls");
    expect(secureToWeb.message).toContain("does not speak TLS on this port");
    const plainToSecure = await fault(optionsOf(`redis://127.0.0.1:${port}`));
    expect(plainToSecure.code).toBe("not-redis");
    expect(plainToSecure.message).toContain(
      "expected a Redis server, or rediss:// if it requires TLS",
    );
  });

  it("rejects a file without certificates, and a certificate without TLS", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const empty = join(folder, "empty.pem");
    writeFileSync(empty, "no certificate");
    const pipe = join(folder, "pipe.pem");
    execFileSync("mkfifo", [pipe]);
    for (const ca of [empty, join(folder, "missing.pem"), folder, pipe]) {
      const { code, message } = await fault({ ...optionsOf("rediss://127.0.0.1"), ca });
      expect(code).toBe("tls");
      expect(message.replaceAll(folder, "")).not.toMatch(/E[A-Z]+:/); // its name may look like a code
      expect(message).toContain(`${ca} cannot be used; expected a file of certificates in PEM`);
    }
    const { code, message } = await fault({ ...optionsOf("redis://127.0.0.1"), ca: empty });
    expect(code).toBe("bad-url");
    expect(message).toContain("does not use TLS, but a certificate was given; expected rediss://");
  });
});
