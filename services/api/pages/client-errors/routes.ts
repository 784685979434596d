import express from 'express'
import * as v from 'valibot'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { log } from '#shared/runtime/log.ts'
import { jsonBody } from '../../middleware/body-readers.ts'
import { endpoint, nothing } from '../../middleware/endpoint.ts'

/**
 * A report consists of names from the lists below and of positions in the client's files, so that no text of a person
 * reaches the log, whatever a client sends. An error's message may quote a message: the client sends only its class.
 */
const PLACES = ['app', 'sidebar', 'channel', 'panel', 'call', 'dialog', 'row', 'part', 'page', 'response']
const CLASSES = ['property-of-nothing', 'not-a-function', 'not-defined', 'not-json', 'not-loaded', 'other']
/** The classes of errors that the language and the browser define. */
const NAMES =
  /^((Aggregate|Eval|Range|Reference|Syntax|Type|URI|Abort|Constraint|Data|DataClone|Encoding|InvalidAccess|InvalidModification|InvalidNode|InvalidState|Network|NotAllowed|NotFound|NotReadable|NotSupported|Operation|QuotaExceeded|ReadOnly|Security|Timeout|TransactionInactive|Unknown|Version)?Error|Other)$/
/** File, line and column. A name of the build ends with its hash. */
const POSITION = /^[A-Za-z][\w.-]{0,60}\.js:\d{1,7}:\d{1,7}$/
const BUILD = /^[A-Za-z][\w.-]{0,60}\.js$/
const MOST_POSITIONS = 10
const MOST_BYTES = 4_096

const REPORT = v.object(
  {
    place: v.picklist(PLACES, '$ must be one of the list'),
    name: v.pipe(v.string('$ required'), v.regex(NAMES, '$ must be a class of errors')),
    message_class: v.picklist(CLASSES, '$ must be one of the list'),
    stack: v.pipe(
      v.array(
        v.pipe(v.string('$ must contain positions'), v.regex(POSITION, '$ must contain positions')),
        '$ must be a list',
      ),
      v.maxLength(MOST_POSITIONS, `$ has at most ${MOST_POSITIONS} positions`),
    ),
    build: v.pipe(v.string('$ required'), v.regex(BUILD, '$ must be a file name')),
  },
  '$ required',
)

/**
 * Interface 17.6: one line of the log per report. Mounted before the sessions and counted per address, so that it needs
 * no store and a signed-out page can report.
 */
export const clientErrorEndpoints = [
  endpoint(
    'POST /client_errors',
    {
      summary: 'Reports an error that the client caught.',
      who: 'anybody',
      limit: 'by address',
      prepare: ({ stores, req }) =>
        rateLimits(stores)(['anonymous', `errors:${networkOf(req.ip ?? '')}`, 25]),
      body: jsonBody(REPORT, express.json({ limit: MOST_BYTES, inflate: false })),
      answers: { 204: nothing },
      fails: [400],
    },
    ({ body }) => log.warn({ report: body }, 'client error'),
  ),
]
