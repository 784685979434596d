import http, { type IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
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
  type SpanProcessor,
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
  'bothy.task',
  'bothy.changed',
  'bothy.event',
  'bothy.streams',
  'bothy.waited_ms',
])
const WITHOUT_SPANS = new Set(['/healthz', '/readyz', '/metrics'])
const ROUTE = 'http.route'
const TASK = 'bothy.task'
const CHANGED = 'bothy.changed'
/** Tasks look every few seconds for something to do. A run that finds nothing and ends within this time is not sent. */
const QUIET: Milliseconds = 1_000
/** Spans of a task that wait for its end. */
const MOST_OF_TASK = 200

/** Work in another process that a frame follows. */
export interface Cause {
  traceparent: string
  /** When this process learned of it. */
  at: Milliseconds
}

export interface Tracing {
  jobs: Telemetry
  answered(req: IncomingMessage, route: string, status: number): void
  current(): string | undefined
  task(name: string, work: () => Promise<number>): Promise<number>
  step<T>(name: string, work: () => Promise<T>): Promise<T>
  frames<T>(
    event: string,
    causes: readonly Cause[],
    streams: () => number,
    work: () => Promise<T>,
  ): Promise<T>
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
      new WithoutQuietTasks(
        new BatchSpanProcessor(new DiscreetExporter(exporter), {
          maxQueueSize: MOST_WAITING,
          exportTimeoutMillis: SENT_WITHIN,
        }),
      ),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new OwnPropagator())
  trace.setGlobalTracerProvider(provider)
  const tracer = trace.getTracer('bothy')
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
    current: currentTrace,
    task: (name, work) => runTask(tracer, name, work),
    step: (name, work) =>
      trace.getActiveSpan()
        ? tracer.startActiveSpan(name, { kind: SpanKind.CLIENT }, span => ended(span, work))
        : work(),
    frames: (event, causes, streams, work) => sendFrames(tracer, { event, causes, streams }, work),
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

function currentTrace(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  if (span === undefined || (span.traceFlags & TraceFlags.SAMPLED) === 0) return undefined
  return `00-${span.traceId}-${span.spanId}-01`
}

function runTask(tracer: Tracer, name: string, work: () => Promise<number>): Promise<number> {
  const options = { root: true, attributes: { [TASK]: name } }
  return tracer.startActiveSpan(`task ${name}`, options, span =>
    ended(span, work, changed => span.setAttribute(CHANGED, changed)),
  )
}

/** The span begins when the notice came, so that it contains the minimum interval of the collection. */
function sendFrames<T>(
  tracer: Tracer,
  { event, causes, streams }: { event: string; causes: readonly Cause[]; streams: () => number },
  work: () => Promise<T>,
): Promise<T> {
  const contexts = causes.map(({ traceparent }) => propagation.extract(ROOT_CONTEXT, { traceparent }))
  const [parent = ROOT_CONTEXT, ...others] = contexts
  const links = others.flatMap((other): Link[] => {
    const spanContext = trace.getSpanContext(other)
    return spanContext ? [{ context: spanContext }] : []
  })
  const startTime = Math.min(...causes.map(({ at }) => at))
  const attributes = { 'bothy.event': event, 'bothy.waited_ms': Date.now() - startTime }
  const span = tracer.startSpan(
    `frames ${event}`,
    { kind: SpanKind.CONSUMER, startTime, links, attributes },
    parent,
  )
  return context.with(trace.setSpan(parent, span), () =>
    ended(span, work, () => span.setAttribute('bothy.streams', streams())),
  )
}

async function ended<T>(
  span: Span,
  work: () => Promise<T>,
  note: (result: T) => unknown = () => {},
): Promise<T> {
  try {
    const result = await work()
    note(result)
    return result
  } catch (err) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw err
  } finally {
    span.end()
  }
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

/** Drops the spans of a task that did nothing, quickly. */
class WithoutQuietTasks implements SpanProcessor {
  readonly #to: SpanProcessor
  /** By the ids of their traces. */
  readonly #held = new Map<string, ReadableSpan[]>()

  constructor(to: SpanProcessor) {
    this.#to = to
  }

  onStart(span: Parameters<SpanProcessor['onStart']>[0], parent: Context) {
    this.#to.onStart(span, parent)
    if (span.attributes[TASK] !== undefined) this.#held.set(span.spanContext().traceId, [])
  }

  onEnd(span: ReadableSpan) {
    const { traceId } = span.spanContext()
    const held = this.#held.get(traceId)
    if (!held) return this.#to.onEnd(span)
    held.push(span)
    const isEnd = span.attributes[TASK] !== undefined
    if (isEnd && isQuiet(span)) this.#held.delete(traceId)
    else if (isEnd || held.length >= MOST_OF_TASK) {
      this.#held.delete(traceId)
      for (const one of held) this.#to.onEnd(one)
    }
  }

  forceFlush() {
    return this.#to.forceFlush()
  }

  shutdown() {
    return this.#to.shutdown()
  }
}

const isQuiet = ({ attributes, status, duration: [seconds] }: ReadableSpan) =>
  attributes[CHANGED] === 0 && status.code !== SpanStatusCode.ERROR && seconds * 1000 < QUIET

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
