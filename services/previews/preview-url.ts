import { codePreview, languageOf, textOf } from '#shared/rules/code-preview.ts'
import type { CodePreviewPayload, LinkPreviewPayload, OgPreviewPayload } from '#shared/rules/payloads.ts'
import { type HostedFile, hostedFile, namedFile, namedLines } from './code-hosts.ts'
import { type Fetched, type Guard, NotFetched } from './guarded-fetch.ts'
import { openGraph } from './open-graph.ts'
import { pageText } from './page-text.ts'
import { shownDomain } from './shown-domain.ts'

/** Decisions, "Files and previews". */
const MOST_BYTES = 512 * 1024
const MOST_LINES = 40
const CONTEXT = 3
const LONGEST_URL = 2_048
/** A page may name many pictures that are none; the time is that of one card. */
const MOST_PICTURES = 3

export interface About {
  guard: Guard
  /** Fetches, checks and re-encodes a picture and answers our own address of it, or undefined. */
  keepPicture(url: URL, signal: AbortSignal): Promise<string | undefined>
  signal: AbortSignal
}

/**
 * The card of an address (interface 2.9), `{}` when there is none. Throws only what may be different soon. The `url` of a
 * card is the address that was asked: it is what stands in the message. A page that could name another one (og:url) could
 * put any address behind a card that somebody else posted.
 */
export async function previewUrl(text: string, about: About): Promise<LinkPreviewPayload> {
  const url = readAddress(text)
  if (!url) return {}
  try {
    return (await hostedCode(url, about)) ?? (await cardOfPage(url, about)) ?? {}
  } catch (err) {
    if (err instanceof NotFetched && !err.isTemporary) return {}
    throw err
  }
}

/** What is no address of the web has no card; whether we may go there is for the guard to say. */
function readAddress(text: string): URL | undefined {
  if (text.length > LONGEST_URL || !URL.canParse(text.trim())) return undefined
  const url = new URL(text.trim())
  return /^https?:$/.test(url.protocol) && url.href.length <= LONGEST_URL ? url : undefined
}

/** The file behind a code host's page for it. Whatever goes wrong there, the page itself may still have a card. */
async function hostedCode(url: URL, { guard, signal }: About): Promise<CodePreviewPayload | undefined> {
  const file = hostedFile(url)
  if (!file) return undefined
  try {
    const wanted = { accepts: isText, maxBytes: MOST_BYTES, longer: 'cut' as const }
    return cardOfCode(url, file, await guard.fetch(file.raw, wanted, signal))
  } catch (err) {
    if (err instanceof NotFetched) return undefined
    throw err
  }
}

async function cardOfPage(url: URL, about: About): Promise<LinkPreviewPayload | undefined> {
  const file = namedFile(url)
  const mayBeCode = file !== undefined && languageOf(file.filename) !== undefined
  const accepts = (type: string) => isPage(type) || (mayBeCode && isText(type))
  const answer = await about.guard.fetch(url, { accepts, maxBytes: MOST_BYTES, longer: 'cut' }, about.signal)
  return isPage(answer.type) ? openGraphCard(url, answer, about) : cardOfCode(url, file!, answer)
}

const isPage = (type: string) => type === 'text/html' || type === 'application/xhtml+xml'

/** A page is no text: what asks readers to sign in first is one, on many a code host. */
const isText = (type: string) =>
  !isPage(type) &&
  (type.startsWith('text/') ||
    /^application\/(?:[\w.-]+\+)?(?:json|xml|yaml)$/.test(type) ||
    /^application\/(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|sql|sh|httpd-php|ndjson|tex)$/.test(
      type,
    ))

/** None of what is no text after all, and of an empty file. */
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
    // Of the last address: the asked one may be a shortener's.
    domain: shownDomain(answer.url),
    url: url.href,
  }
}

/** Our address of the first picture that is one. A card without its picture is better than none. */
async function keptPicture(pictures: URL[], { keepPicture, signal }: About): Promise<string> {
  for (const picture of pictures.slice(0, MOST_PICTURES)) {
    if (signal.aborted) break
    const kept = await keepPicture(picture, signal).catch(unlessNotFetched)
    if (kept !== undefined) return kept
  }
  return ''
}

function unlessNotFetched(err: unknown) {
  if (err instanceof NotFetched) return undefined
  throw err
}
