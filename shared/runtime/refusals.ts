/** A refusal of the interface: status and body, thrown where the fault is found, sent in one place. */
export class Refusal extends Error {
  readonly status: number
  readonly body: string
  readonly headers: Record<string, string>

  constructor(status: number, body: string, headers: Record<string, string> = {}) {
    super(body)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The refusals of interface 7; further ones: decisions, Errors. */
export const refuse = {
  /** The body of the JSON operations of 4.1, 4.8, 4.9 and 4.10: `{"error": "<sentence>"}` (decisions, Errors). */
  json: (status: number, sentence: string) =>
    new Refusal(status, JSON.stringify({ error: sentence }), { 'Content-Type': 'application/json' }),
  /** The account was deleted during the request: as without a session (interface 5.2). */
  signedOut: () => new Refusal(302, '', { Location: '/login' }),
  badRequest: (why = 'bad request') => new Refusal(400, why),
  empty: () => new Refusal(400, 'empty'),
  invalidReaction: () => new Refusal(400, 'invalid reaction'),
  tooManyReactions: (most: number, by: string) =>
    new Refusal(400, `a message takes at most ${most} different reactions ${by}`),
  tooManyParticipants: (most: number) =>
    new Refusal(400, `a direct message has at most ${most} people: make a private channel`),
  noAccount: (name: string) => new Refusal(400, `no account named ${name}`),
  nameRequired: () => new Refusal(400, 'name required'),
  nameTooLong: (max: number) => new Refusal(400, `name too long (max ${max} characters)`),
  usernameRequired: () => new Refusal(400, 'username required'),
  invalidColor: () => new Refusal(400, 'name_color must be #rrggbb'),
  notAnImage: () => new Refusal(400, 'avatar must be a JPEG, PNG, GIF or WebP image'),
  wrongPassword: (status: 400 | 403) => new Refusal(status, 'Current password is incorrect'),
  wrongCsrfToken: () => new Refusal(403, 'csrf_token is missing or wrong'),
  forbidden: () => new Refusal(403, 'forbidden'),
  notFound: () => new Refusal(404, 'not found'),
  unknownHost: () =>
    new Refusal(
      421,
      'This address is not one of this server. Its operator can allow it with PUBLIC_URL or ALLOWED_HOSTS.',
      { Connection: 'close' },
    ),
  required: (field: string) => new Refusal(400, `${field} required`),
  nobodyToCall: () => new Refusal(400, 'no other participants in channel'),
  accessDenied: () => new Refusal(403, 'access denied'),
  callNotFound: () => new Refusal(404, 'call not found'),
  shareNotFound: () => new Refusal(404, 'share not found'),
  callOver: () => new Refusal(409, 'call is not active'),
  shareOver: () => new Refusal(409, 'share is not active'),
  doesNotRing: () => new Refusal(409, 'this call does not ring for you'),
  /** The header is an extension: a member of the channel can join the call that they could not start. */
  callFull: (most: number) => new Refusal(409, `no more than ${most} people can take part in a call`),
  callInProgress: (callId: string | undefined) =>
    new Refusal(
      409,
      'a call is already in progress in this channel',
      callId === undefined ? {} : { 'X-Call-Id': callId },
    ),
  payloadTooLarge: (kib: number) => new Refusal(413, `payload too large (max ${kib} KiB)`),
  chunkTooLarge: (mib: number) => new Refusal(413, `chunk too large (max ${mib} MiB)`),
  tooManySignals: () => new Refusal(429, 'too many signals are waiting', { 'Retry-After': '1' }),
  userNotFound: () => new Refusal(404, 'user not found'),
  alreadyMember: () => new Refusal(409, 'already a member'),
  messageTooLong: (max: number) => new Refusal(413, `message too long (max ${max} characters)`),
  fileTooLarge: (megabytes: number) => new Refusal(413, `file too large (max ${megabytes} MB)`),
  requestTooLarge: (megabytes: number) => new Refusal(413, `request too large (max ${megabytes} MB)`),
  storageFull: () => new Refusal(413, 'storage full: the server has no room for files at the moment'),
  tooMany: (retryAfter: number) =>
    new Refusal(429, 'too many requests, try again later', {
      'Retry-After': String(Math.max(1, Math.ceil(retryAfter))),
    }),
  tooManyStreams: () =>
    new Refusal(429, 'Too many open tabs. Close another tab and try again.', { 'Retry-After': '5' }),
  filesUnavailable: () =>
    new Refusal(503, 'files cannot be stored or read at the moment', { 'Retry-After': '10' }),
  unavailable: () => new Refusal(503, 'temporarily unavailable', { 'Retry-After': '1' }),
}
