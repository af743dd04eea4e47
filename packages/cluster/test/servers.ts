import type { AddressInfo, Server, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, QueueEvents, Worker } from "bullmq";
import { Redis } from "ioredis";
import { expect, onTestFinished } from "vitest";
import { type ConnectionUse, connect } from "../src/connection.js";
import { ClusterError } from "../src/errors.js";
import { keyPrefix, type RedisOptions } from "../src/redis-options.js";
import { checkServer } from "../src/server-check.js";
import { testRedis } from "./redis.js";

/** Returns the fault that the check of a server finds, and expects it to leave nothing open. */
export async function fault(
  options: RedisOptions,
): Promise<Pick<ClusterError, "code" | "message">> {
  await nothingOpen();
  try {
    await checkServer(options);
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    await nothingOpen();
    const { code, message } = error;
    expect(message).toMatch(/^[^\n]*(expected|--redis-ca)[^\n]*$/);
    return { code, message };
  }
  throw new Error("no fault was found");
}

/**
 * Checks that this process has no connection and no timer left, including those of servers within
 * it.
 */
export async function nothingOpen(): Promise<void> {
  let open: string[] = [];
  for (let tries = 0; tries < 20; tries++) {
    open = process.getActiveResourcesInfo().filter((kind) => /TCPSocket|TLS|Timeout/.test(kind));
    if (open.length === 0) return;
    await sleep(20);
  }
  expect(open).toEqual([]);
}

/**
 * Returns the port of a server that is not Redis, which listens until the running test has ended.
 */
export async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

export async function portOfNobody(): Promise<number> {
  const redis = await testRedis();
  await redis.stop();
  return redis.port;
}

/** Connects until the running test has ended. */
export function client(
  options: RedisOptions,
  use: ConnectionUse,
  onError?: (error: Error) => void,
) {
  const redis = connect(options, use, onError);
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** Sends a command to a server, as its administrator. */
export async function tell(url: string, command: string, ...args: string[]): Promise<unknown> {
  const redis = new Redis(url);
  try {
    return await redis.call(command, ...args);
  } finally {
    redis.disconnect();
  }
}

/** Has a BullMQ worker do a job, and returns its result. */
export async function throughBullMQ(options: RedisOptions): Promise<number> {
  const prefix = keyPrefix(options);
  const errors: unknown[] = [];
  const clients: Redis[] = [];
  const forBullMQ = (use: ConnectionUse) => {
    const connection = connect(options, use);
    clients.push(connection);
    return { connection, prefix };
  };
  const queue = new Queue("answers", forBullMQ("commands"));
  const events = new QueueEvents("answers", forBullMQ("blocking"));
  const worker = new Worker("answers", async ({ data }) => 2 * data, forBullMQ("blocking"));
  queue.on("error", (error) => errors.push(error));
  events.on("error", (error) => errors.push(error));
  worker.on("error", (error) => errors.push(error));
  try {
    await events.waitUntilReady();
    const job = await queue.add("double", 21);
    return await job.waitUntilFinished(events, 20_000);
  } finally {
    await Promise.all([queue, events, worker].map((each) => each.close()));
    for (const each of clients) each.disconnect();
    expect(errors).toEqual([]);
  }
}
