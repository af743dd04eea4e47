import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@gridlock/testbed";
import { describe, expect, it, onTestFinished } from "vitest";
import { StoreError } from "../src/errors.js";
import { orAborted, Thread } from "../src/thread.js";
import { Threads } from "../src/threads.js";

const PORT = new URL("../dist/thread-port.js", import.meta.url).href;
const ERRORS = new URL("../dist/errors.js", import.meta.url).href;

/** Starts a thread that runs this code and records its notices and failures. */
function threadOf(code: string) {
  const folder = mkdtempSync(join(tmpdir(), "gridlock-"));
  const file = join(folder, "thread.mjs");
  writeFileSync(
    file,
    `import { answerRequests, notify, orFail } from ${JSON.stringify(PORT)};
     import { StoreError } from ${JSON.stringify(ERRORS)};
     ${code}`,
  );
  const notices: unknown[] = [];
  const failures: Error[] = [];
  const thread = new Thread<unknown, unknown, unknown>(pathToFileURL(file), {
    name: "the thread of the test",
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    onNotice: (notice) => notices.push(notice),
    onFailure: (error) => failures.push(error),
  });
  onTestFinished(async () => {
    await thread[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return { thread, notices, failures };
}

describe("a thread", () => {
  it("runs the bundle of its module, if that has one", async () => {
    const folder = temporaryFolder();
    const module = pathToFileURL(join(folder, "some-worker.js"));
    const answering = (what: string) =>
      `const { parentPort } = require("node:worker_threads");
       parentPort.on("message", () => parentPort.postMessage({ reply: "${what}" }));`;
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
    for (const [file, what] of [
      ["some-worker.js", "module"],
      ["some-worker.cjs", "bundle"],
    ] as const) {
      writeFileSync(join(folder, file), answering(what));
      await using thread = new Thread<null, string>(module, { name: "the thread of the test" });
      expect(await thread.ask(null)).toBe(what);
    }
  });

  it("answers one request after another, and posts notices in between", async () => {
    const { thread, notices, failures } = threadOf(
      "answerRequests(async (n) => { notify(n); return 2 * n; });",
    );
    expect(await thread.ask(1)).toBe(2);
    expect(await thread.ask(2)).toBe(4);
    expect(notices).toEqual([1, 2]);
    const answer = thread.ask(3);
    await expect(thread.ask(4)).rejects.toThrow("the thread of the test is busy");
    expect(await answer).toBe(6);
    expect(failures).toEqual([]);
  });

  it.each([
    ["an error", "answerRequests(() => { throw new Error('no more'); });", "no more"],
    ["a rejection", "answerRequests(async () => { throw new Error('no more'); });", "no more"],
    ["an exit", "answerRequests(() => process.exit());", "ended unexpectedly"],
    ["an error elsewhere", "setTimeout(() => { throw new Error('a timer'); }, 20);", "a timer"],
    ["nobody to answer", "", "ended unexpectedly"],
    ["a module that is missing", "await import('./missing.mjs');", "Cannot find module"],
    ["an error in its own work", "void orFail(() => { throw new Error('work'); });", "work"],
    ["too little memory", "const all = []; for (;;) all.push(new Array(1e5).fill({}));", "memory"],
  ])("fails requests after %s, instead of never answering", async (_, code, why) => {
    const { thread, failures } = threadOf(code);
    const first = await thread.ask(1).then(
      () => undefined,
      (error: Error) => error,
    );
    expect(first?.message).toContain(why);
    expect(failures).toEqual([first]);
    await expect(thread.ask(2)).rejects.toBe(first);
  });

  it("keeps the code of a store's error", async () => {
    const { thread } = threadOf(
      "answerRequests(() => { throw new StoreError('locked', 'others hold it'); });",
    );
    const error = await thread.ask(1).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ code: "locked", message: "others hold it" });
  });

  it("that is closed fails the request under way, but reports no failure", async () => {
    const { thread, failures } = threadOf("answerRequests(() => new Promise(() => {}));");
    const answer = expect(thread.ask(1)).rejects.toThrow("the thread of the test was closed");
    await thread[Symbol.asyncDispose]();
    await answer;
    await expect(thread.ask(2)).rejects.toThrow("was closed");
    expect(failures).toEqual([]);
  });
});

describe("a wait for a promise or a signal", () => {
  it("ends with whichever comes first, and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    const controller = new AbortController();
    const never = orAborted(new Promise(() => {}), controller.signal);
    controller.abort(new Error("enough"));
    await expect(never).rejects.toThrow("enough");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    await expect(orAborted(new Promise(() => {}), controller.signal)).rejects.toThrow("enough");
  });
});

describe("threads that share requests", () => {
  /**
   * Starts threads that answer with their number of requests so far: at once, or once a file is there. They refuse an
   * empty request.
   */
  const threadsOf = (count: number) =>
    new Threads(
      count,
      () =>
        threadOf(
          `import { existsSync } from "node:fs";
           let requests = 0;
           answerRequests(async (request) => {
             if (request === "") throw new Error("refused");
             while (request !== "now" && !existsSync(request)) {
               await new Promise((resolve) => setTimeout(resolve, 5));
             }
             return ++requests;
           });`,
        ).thread,
    );

  it("answer in the order of the requests, whoever asks meanwhile", async () => {
    const threads = threadsOf(2);
    const file = join(temporaryFolder(), "go");
    const first = threads.askAll([file, "now", "now"]);
    const second = threads.askAll(["now"]);
    // The first thread waits for the file, so the second one takes all others.
    expect(await second).toEqual([3]);
    writeFileSync(file, "");
    expect(await first).toEqual([1, 1, 2]);
    expect(await threads.askAll([])).toEqual([]);
  });

  it("post nothing more once the signal is aborted", async () => {
    const threads = threadsOf(1);
    const file = join(temporaryFolder(), "go");
    const abort = new AbortController();
    const first = threads.ask(file, abort.signal);
    const second = threads.ask("now", abort.signal);
    abort.abort(new Error("stopped"));
    writeFileSync(file, "");
    expect(await first).toBe(1);
    await expect(second).rejects.toThrow("stopped");
    expect(await threads.ask("now")).toBe(2);
  });

  it("fail with the error of a thread, and when they are stopped", async () => {
    const threads = threadsOf(1);
    await expect(threads.askAll(["", "now"])).rejects.toThrow("refused");
    const others = threadsOf(1);
    const never = join(temporaryFolder(), "never");
    const asked = expect(others.askAll([never, "now"])).rejects.toThrow(
      "the thread of the test was closed",
    );
    await others[Symbol.asyncDispose]();
    await asked;
  });
});
