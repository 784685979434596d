import type { IncomingMessage } from 'node:http'
import type { Telemetry } from 'bullmq'
import { readTracingConfig } from './config.ts'
import type { Tracing } from './tracing-sdk.ts'

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

/** Ends the span of a request whose connection goes on, as that of a stream does. */
export function traceAnswer(req: IncomingMessage, route: string, status: number): void {
  tracing?.answered(req, route, status)
}
