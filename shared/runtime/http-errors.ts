import { countRefusal, type Limit } from './refusals.ts'
/** An error response of the interface: status and body, thrown where the fault is found, sent in one place. */
export class HttpError extends Error {
  readonly status: number
  readonly body: string
  readonly headers: Record<string, string>
  /** For people, and for programs; undefined where the status decides. */
  readonly sentence: string
  readonly code: string | undefined

  constructor(
    status: number,
    body: string,
    headers: Record<string, string> = {},
    { sentence = body, code }: { sentence?: string; code?: string } = {},
  ) {
    super(body)
    this.status = status
    this.body = body
    this.headers = headers
    this.sentence = sentence
    this.code = code
  }
}

/** The errors of interface 7. */
export const errors = {
  /** The body of the JSON operations of 4.1, 4.8, 4.9 and 4.10: `{"error": "<sentence>"}` (interface 7). */
  json: (status: number, sentence: string) =>
    new HttpError(
      status,
      JSON.stringify({ error: sentence }),
      { 'Content-Type': 'application/json' },
      { sentence },
    ),
  /** The body of extensions (interface 10): a sentence and a stable code. */
  coded: (status: number, code: string, sentence: string, headers: Record<string, string> = {}) =>
    new HttpError(
      status,
      JSON.stringify({ error: sentence, code }),
      { 'Content-Type': 'application/json', ...headers },
      { sentence, code },
    ),
  /** For extensions: a field is missing or of another type. */
  missing: (field: string) => errors.coded(400, 'required', `${field} required`),
  /** For extensions: a field is out of range. */
  invalid: (sentence: string) => errors.coded(400, 'invalid', sentence),
  /** For extensions: text over its length. */
  tooLong: (field: string, most: number) =>
    errors.coded(400, 'too_long', `${field} has at most ${most} characters`),
  lastOwner: () =>
    errors.coded(409, 'last_owner', 'The workspace needs an owner: make somebody else one first.'),
  confirmRequired: (sentence = 'Enter your password again for this.') =>
    errors.coded(403, 'confirm_required', sentence),
  /** The account was deleted during the request: as without a session (interface 5.2). */
  signedOut: () => new HttpError(302, '', { Location: '/login' }),
  badRequest: (why = 'bad request') => new HttpError(400, why),
  empty: () => new HttpError(400, 'empty'),
  invalidReaction: () => new HttpError(400, 'invalid reaction'),
  tooManyReactions: (most: number, by: string) =>
    new HttpError(400, `a message takes at most ${most} different reactions ${by}`),
  tooManyParticipants: (most: number) =>
    new HttpError(400, `a direct message has at most ${most} people: make a private channel`),
  noAccount: (name: string) => new HttpError(400, `no account named ${name}`),
  nameRequired: () => new HttpError(400, 'name required'),
  nameTooLong: (max: number) => new HttpError(400, `name too long (max ${max} characters)`),
  usernameRequired: () => new HttpError(400, 'username required'),
  invalidColor: () => new HttpError(400, 'name_color must be #rrggbb'),
  notAnImage: () => new HttpError(400, 'avatar must be a JPEG, PNG, GIF or WebP image'),
  wrongPassword: (status: 400 | 403) => new HttpError(status, 'Current password is incorrect'),
  wrongCsrfToken: () => new HttpError(403, 'csrf_token is missing or wrong'),
  forbidden: () => new HttpError(403, 'forbidden'),
  archivedChannel: () => new HttpError(403, 'archived channel'),
  readOnlyChannel: () => new HttpError(403, 'read-only channel'),
  notFound: () => new HttpError(404, 'not found'),
  unknownHost: () =>
    new HttpError(
      421,
      'This address is not one of this server. Its operator can allow it with PUBLIC_URL or ALLOWED_HOSTS.',
      { Connection: 'close' },
    ),
  required: (field: string) => new HttpError(400, `${field} required`),
  nobodyToCall: () => new HttpError(400, 'no other participants in channel'),
  accessDenied: () => new HttpError(403, 'access denied'),
  callNotFound: () => new HttpError(404, 'call not found'),
  shareNotFound: () => new HttpError(404, 'share not found'),
  callOver: () => new HttpError(409, 'call is not active'),
  shareOver: () => new HttpError(409, 'share is not active'),
  doesNotRing: () => new HttpError(409, 'this call does not ring for you'),
  /** The header is an extension: a member of the channel can join the call that they could not start. */
  callFull: (most: number) => new HttpError(409, `no more than ${most} people can take part in a call`),
  callInProgress: (callId: string | undefined) =>
    new HttpError(
      409,
      'a call is already in progress in this channel',
      callId === undefined ? {} : { 'X-Call-Id': callId },
    ),
  payloadTooLarge: (kib: number) => new HttpError(413, `payload too large (max ${kib} KiB)`),
  chunkTooLarge: (mib: number) => new HttpError(413, `chunk too large (max ${mib} MiB)`),
  userNotFound: () => new HttpError(404, 'user not found'),
  clientIdUsed: () => new HttpError(409, 'This client_id was used for another request.'),
  composedElsewhere: () => new HttpError(409, 'this was written for another channel'),
  alreadyMember: () => new HttpError(409, 'already a member'),
  messageTooLong: (max: number) => new HttpError(413, `message too long (max ${max} characters)`),
  fileTooLarge: (megabytes: number) => new HttpError(413, `file too large (max ${megabytes} MB)`),
  requestTooLarge: (megabytes: number) => new HttpError(413, `request too large (max ${megabytes} MB)`),
  fileTypeNotAllowed: (name: string) => new HttpError(400, `file type not allowed: ${name}`),
  quotaReached: (megabytes: number) =>
    refused('upload_quota', new HttpError(413, `storage full: you can upload ${megabytes} MB in 24 hours`)),
  uploadIncomplete: (name: string) => new HttpError(409, `upload not complete: ${name}`),
  storageFull: () =>
    refused(
      'storage_full',
      new HttpError(413, 'storage full: the server has no room for files at the moment'),
    ),
  tooMany: (retryAfter: number, limit: Limit) =>
    refused(
      limit,
      new HttpError(429, 'too many requests, try again later', {
        'Retry-After': String(Math.max(1, Math.ceil(retryAfter))),
      }),
    ),
  tooManyStreams: () =>
    refused(
      'streams',
      new HttpError(429, 'Too many open tabs. Close another tab and try again.', { 'Retry-After': '5' }),
    ),
  filesUnavailable: () =>
    new HttpError(503, 'files cannot be stored or read at the moment', { 'Retry-After': '10' }),
  unavailable: () => new HttpError(503, 'temporarily unavailable', { 'Retry-After': '1' }),
}

/** Counts the refusal: these errors are made where they are thrown. */
function refused(limit: Limit, error: HttpError): HttpError {
  countRefusal(limit)
  return error
}
