import http, { type IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Context, context, propagation, type Span, type TextMapGetter, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import type { Telemetry } from 'bullmq'
import { BullMQOtel } from 'bullmq-otel'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log, SERVICE } from './log.ts'
import { VERSION } from './version.ts'

/** Imported by tracing.ts alone, and only where traces are wanted: it loads thirty packages. */

/** Spans that wait for the collector at most; further ones are dropped. */
const MOST_WAITING = 2_048
const SENT_WITHIN: Milliseconds = 5_000
const STOPS_WITHIN: Milliseconds = 1_000

/**
 * Attributes that never have a person, a channel or a text. Libraries set others: statements, arguments of Redis,
 * addresses with their queries, results of jobs.
 */
const ATTRIBUTES = new Set([
  'http.request.method',
  'http.method',
  'http.response.status_code',
  'http.status_code',
  'http.route',
  'error.type',
  'db.system',
  'db.system.name',
  'db.operation.name',
  'bullmq.queue.name',
  'bullmq.queue.operation',
  'bullmq.job.name',
  'bullmq.job.attempts.made',
  'bothy.request_id',
])
const WITHOUT_SPANS = new Set(['/healthz', '/readyz', '/metrics'])
const ROUTE = 'http.route'

export interface Tracing {
  jobs: Telemetry
  answered(req: IncomingMessage, route: string, status: number): void
  stop(): Promise<void>
}

interface Options {
  endpoint: URL
  /** Part of the traces that is kept. */
  ratio: number
}

export function openTracing(
  { endpoint, ratio }: Options,
  libraries: { pg?: unknown; ioredis?: unknown },
): Tracing {
  const byId = new TraceIdRatioBasedSampler(ratio)
  const url = `${endpoint.href.replace(/\/$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SENT_WITHIN })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `bothy-${SERVICE}`, 'service.version': VERSION }),
    sampler: new ParentBasedSampler({ root: byId, remoteParentSampled: byId, remoteParentNotSampled: byId }),
    spanProcessors: [
      new BatchSpanProcessor(new DiscreetExporter(exporter), {
        maxQueueSize: MOST_WAITING,
        exportTimeoutMillis: SENT_WITHIN,
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new OwnPropagator())
  trace.setGlobalTracerProvider(provider)
  const requests = new WeakMap<IncomingMessage, Span>()
  traceRequests(requests)
  // Without a parent they would be those of timers and of blocking reads, without end.
  const options = { enabled: false, requireParentSpan: true }
  if (libraries.pg !== undefined) {
    const { Pool } = libraries.pg as { Pool: { prototype: object } }
    apply(new PgInstrumentation(options), [libraries.pg, Object.getPrototypeOf(Pool.prototype).constructor])
  }
  if (libraries.ioredis !== undefined) apply(new IORedisInstrumentation(options), [libraries.ioredis])
  log.info({ to: endpoint.host, ratio }, 'traces are sent')
  return {
    jobs: new BullMQOtel({ tracerName: 'bothy' }),
    answered(req, route, status) {
      const span = requests.get(req)
      if (span) endRequest(span, req.method, route, status)
    },
    async stop() {
      await Promise.race([
        provider.shutdown().catch(() => {}),
        pause(STOPS_WITHIN, undefined, { ref: false }),
      ])
    },
  }
}

function traceRequests(spans: WeakMap<IncomingMessage, Span>) {
  const instrumentation = new HttpInstrumentation({
    enabled: false,
    disableOutgoingRequestInstrumentation: true,
    ignoreIncomingRequestHook: req => WITHOUT_SPANS.has((req.url ?? '').split('?', 1)[0]!),
    requestHook: (span, req) => {
      if ('socket' in req) spans.set(req as IncomingMessage, span)
    },
    applyCustomAttributesOnSpan: (span, req, res) => {
      if (!(res instanceof ServerResponse)) return
      const id = res.getHeader('X-Request-Id')
      if (typeof id === 'string') span.setAttribute('bothy.request_id', id)
      const { route } = req as unknown as { route?: { path?: unknown } }
      const pattern = typeof route?.path === 'string' ? route.path : 'other'
      span.setAttribute(ROUTE, pattern).updateName(`${req.method} ${pattern}`)
    },
  })
  // The definitions of https and http, in this order.
  apply(instrumentation, [undefined, http])
}

function endRequest(span: Span, method: string | undefined, route: string, status: number) {
  span.setAttribute(ROUTE, route).setAttribute('http.response.status_code', status)
  span.updateName(`${method} ${route}`).end()
}

/**
 * Patches libraries that are loaded already. The usual way, a hook of the module loader, has to be there before every
 * other module, so each start command would need it, and it costs all processes memory.
 */
function apply(instrumentation: object, exportsOf: readonly unknown[]) {
  const { _modules } = instrumentation as { _modules: { patch(exports: unknown): unknown }[] }
  exportsOf.forEach((exports, i) => {
    if (exports !== undefined) _modules[i]!.patch(exports)
  })
}

/** Takes the ids of traces from jobs, and not from requests, whose senders could choose them. */
class OwnPropagator extends W3CTraceContextPropagator {
  override extract(ctx: Context, carrier: unknown, getter: TextMapGetter): Context {
    return getter.get(carrier, 'host') === undefined ? super.extract(ctx, carrier, getter) : ctx
  }
}

/** Sends spans without what may have texts, and tells once when the collector is away. */
class DiscreetExporter implements SpanExporter {
  readonly #to: SpanExporter
  #isAway = false

  constructor(to: SpanExporter) {
    this.#to = to
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
    this.#to.export(spans.map(discreet), result => {
      const isAway = result.code !== ExportResultCode.SUCCESS
      if (isAway && !this.#isAway) log.warn({ err: result.error }, 'traces not sent')
      if (!isAway && this.#isAway) log.info('traces sent again')
      this.#isAway = isAway
      done(result)
    })
  }

  shutdown() {
    return this.#to.shutdown()
  }
}

/** Messages and stacks of errors are events of a span. */
function discreet(span: ReadableSpan): ReadableSpan {
  const kept = Object.entries(span.attributes).filter(([name]) => ATTRIBUTES.has(name))
  return Object.create(span, {
    attributes: { value: Object.fromEntries(kept) },
    events: { value: [] },
    status: { value: { code: span.status.code } },
  })
}
