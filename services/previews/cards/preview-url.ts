import { codePreview, languageOf, textOf } from '#shared/domain/code-preview.ts'
import type {
  CodePreviewPayload,
  LinkPreviewPayload,
  OgPreviewPayload,
} from '#shared/domain/payloads/previews.ts'
import { type HostedFile, hostedFile, namedFile, namedLines } from './code-hosts.ts'
import { FetchError, type Fetched, type Guard } from './guarded-fetch.ts'
import { openGraph } from './open-graph.ts'
import { pageText } from './page-text.ts'
import { shownDomain } from './shown-domain.ts'

/** Interface 4.4. */
const MOST_BYTES = 512 * 1024
/** Some pages have more than half a megabyte of styles and state before their tags. */
const MOST_BYTES_OF_PAGE = 1_024 * 1_024
/** A page that is still sent after this time is read as far as it came, which leaves time for its picture. */
const ENOUGH = 2_500
const MOST_LINES = 40
const CONTEXT = 3
const LONGEST_URL = 2_048
/** Picture candidates tried for a card: a page may name many broken ones. */
const MOST_PICTURES = 3

export interface About {
  guard: Guard
  /** Fetches, checks and re-encodes a picture; returns its address on this server, or undefined. */
  keepPicture(url: URL, signal: AbortSignal): Promise<string | undefined>
  signal: AbortSignal
}

/**
 * The card of an address (interface 2.9), `{}` if there is none. Throws temporary failures only. The card's `url` is
 * the requested address, as in the message: with og:url a page could put any address behind a card that another user
 * posted.
 */
export async function previewUrl(text: string, about: About): Promise<LinkPreviewPayload> {
  const url = readAddress(text)
  if (!url) return {}
  try {
    return (await hostedCode(url, about)) ?? (await cardOfPage(url, about)) ?? {}
  } catch (err) {
    if (err instanceof FetchError && !err.isTemporary) return {}
    throw err
  }
}

/** Undefined unless the text is an http or https URL; the guard decides whether it may be fetched. */
function readAddress(text: string): URL | undefined {
  if (text.length > LONGEST_URL || !URL.canParse(text.trim())) return undefined
  const url = new URL(text.trim())
  return /^https?:$/.test(url.protocol) && url.href.length <= LONGEST_URL ? url : undefined
}

/** The card of a code host's file. Undefined on any failure: the page itself may still have a card. */
async function hostedCode(url: URL, { guard, signal }: About): Promise<CodePreviewPayload | undefined> {
  const file = hostedFile(url)
  if (!file) return undefined
  try {
    const limits = { accepts: isText, maxBytes: MOST_BYTES, longer: 'cut' as const }
    return cardOfCode(url, file, await guard.fetch(file.raw, limits, signal))
  } catch (err) {
    if (err instanceof FetchError) return undefined
    throw err
  }
}

async function cardOfPage(url: URL, about: About): Promise<LinkPreviewPayload | undefined> {
  const file = namedFile(url)
  const mayBeCode = file !== undefined && languageOf(file.filename) !== undefined
  const accepts = (type: string) => type === '' || isPage(type) || (mayBeCode && isText(type))
  const limits = { accepts, maxBytes: MOST_BYTES_OF_PAGE, longer: 'cut' as const, enough: ENOUGH }
  const answer = await about.guard.fetch(url, limits, about.signal)
  if (answer.type === '' && !looksLikePage(answer.body)) return undefined
  return answer.type === '' || isPage(answer.type)
    ? openGraphCard(url, answer, about)
    : cardOfCode(url, file!, answer)
}

/** For responses without a type, as browsers decide: by the first tag. */
function looksLikePage(body: Buffer) {
  const beginning = body
    .subarray(0, 4_096)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  const content = beginning.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, '').trimStart()
  return /^<(?:!doctype html|html|head|body|title|meta|script|style|link)[\s>]/i.test(content)
}

const isPage = (type: string) => type === 'text/html' || type === 'application/xhtml+xml'

/** Excludes pages: many code hosts return their sign-in page instead of the file. */
const isText = (type: string) =>
  !isPage(type) &&
  (type.startsWith('text/') ||
    /^application\/(?:[\w.-]+\+)?(?:json|xml|yaml)$/.test(type) ||
    /^application\/(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|sql|sh|httpd-php|ndjson|tex)$/.test(
      type,
    ))

/** Undefined for binary or empty files. */
function cardOfCode(
  url: URL,
  { filename, filepath }: Pick<HostedFile, 'filename' | 'filepath'>,
  { body, cut }: Fetched,
): CodePreviewPayload | undefined {
  const text = textOf(body, cut)
  if (text === undefined || text.trim() === '') return undefined
  return codePreview({
    text,
    filename,
    filepath,
    url: url.href,
    lines: namedLines(url),
    mostLines: MOST_LINES,
    context: CONTEXT,
  })
}

async function openGraphCard(url: URL, answer: Fetched, about: About): Promise<OgPreviewPayload | undefined> {
  const card = openGraph(pageText(answer.body, answer.charset), answer.url)
  if (!card) return undefined
  return {
    type: 'og',
    title: card.title,
    description: card.description,
    image: await keptPicture(card.pictures, about),
    // The final address: the requested one may be a link shortener's.
    domain: shownDomain(answer.url),
    url: url.href,
  }
}

/** The local address of the first valid picture, or ''. A card without a picture is better than none. */
async function keptPicture(pictures: URL[], { keepPicture, signal }: About): Promise<string> {
  for (const picture of pictures.slice(0, MOST_PICTURES)) {
    if (signal.aborted) break
    const kept = await keepPicture(picture, signal).catch(unlessFetchError)
    if (kept !== undefined) return kept
  }
  return ''
}

function unlessFetchError(err: unknown) {
  if (err instanceof FetchError) return undefined
  throw err
}
