import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Sources } from "./sources.js";

/** Seconds up to which requests are counted together. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

/** The metrics of a server, for Prometheus. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Counter<"operation" | "status">;
  readonly #seconds: Histogram<"operation">;

  constructor({ answerer }: Sources) {
    const registers = [this.registry];
    this.#requests = new Counter({
      name: "gridlock_requests_total",
      help: "Requests answered, by operation and status.",
      labelNames: ["operation", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "gridlock_request_seconds",
      help: "Seconds until the answer to a request began, by operation.",
      labelNames: ["operation"],
      buckets: BUCKETS,
      registers,
    });
    const gauge = (name: string, help: string, value: () => number) =>
      new Gauge({
        name: `gridlock_${name}`,
        help,
        registers,
        collect() {
          this.set(value());
        },
      });
    gauge("searches", "Searches under way.", () => answerer.searches.running);
    const waiting = () => answerer.searches.waiting;
    gauge("searches_waiting", "Searches that wait for a thread.", waiting);
    gauge("resident_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  }

  /** Counts a request. */
  count(operation: string, status: number, seconds: number): void {
    this.#requests.inc({ operation, status });
    this.#seconds.observe({ operation }, seconds);
  }
}
