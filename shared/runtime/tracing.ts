import type { IncomingMessage } from 'node:http'
import type { Telemetry } from 'bullmq'
import { readTracingConfig } from './config.ts'
import type { Cause, Tracing } from './tracing-sdk.ts'

export type { Cause }

/**
 * Traces of OpenTelemetry, where OTEL_EXPORTER_OTLP_ENDPOINT is set. Without it none of its code is loaded, and each
 * function here does nothing.
 */

/** Libraries that this process uses and that have spans of their own. */
export const traceable: { pg?: unknown; ioredis?: unknown } = {}

let tracing: Tracing | undefined

/** Before stores are opened and requests accepted. */
export async function startTracing(): Promise<void> {
  const config = readTracingConfig()
  if (config.endpoint === undefined) return
  const { openTracing } = await import('./tracing-sdk.ts')
  tracing = openTracing({ ...config, endpoint: config.endpoint }, traceable)
}

/** Sends what waits, for a second at most. */
export const stopTracing = async (): Promise<void> => tracing?.stop()

/** Option of BullMQ's queues and workers: a job belongs to the trace of the request that asked for it. */
export const jobTelemetry = (): { telemetry?: Telemetry } => (tracing ? { telemetry: tracing.jobs } : {})

/** The trace of the work under way, as a `traceparent`, for processes that go on with it; undefined where none is kept. */
export const currentTrace = (): string | undefined => tracing?.current()

/** Undefined without traces. */
export const causeOf = (traceparent: string | undefined): Cause | undefined =>
  tracing && traceparent !== undefined ? { traceparent, at: Date.now() } : undefined

/** Runs a task, which returns its number of changes, as a trace of its own. */
export const traceTask = (name: string, work: () => Promise<number>): Promise<number> =>
  tracing ? tracing.task(name, work) : work()

/** Runs a request to another server as a step of the trace under way, if there is one. */
export const traceStep = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  tracing ? tracing.step(name, work) : work()

/** Runs what sends the frames of an event, as part of the trace of the first cause. */
export const traceFrames = <T>(
  event: string,
  { causes, streams }: { causes: readonly Cause[]; streams: () => number },
  work: () => Promise<T>,
): Promise<T> => (tracing && causes.length > 0 ? tracing.frames(event, causes, streams, work) : work())

/** Ends the span of a request whose connection goes on, as that of a stream does. */
export function traceAnswer(req: IncomingMessage, route: string, status: number): void {
  tracing?.answered(req, route, status)
}
