import type { LineRange } from '#shared/domain/code-preview.ts'

/** A file on a code host: raw address and name. */
export interface HostedFile {
  raw: URL
  filename: string
  /** Path within the repository. */
  filepath: string
}

/** Segment positions of the word for a file's page (`raw` in the raw form) and of the file's path. */
interface Place {
  word: number
  path: number
}

/**
 * Recognises file pages by the form of their path, on any host (interface 4.4). The first match counts, since
 * a path on GitHub may contain `src/branch`. A ref is assumed to be one segment; the rest of a longer ref appears in
 * the shown path, and the raw form is right all the same.
 */
const FORMS: ((segments: string[]) => Place | undefined)[] = [
  // GitHub and GitHub Enterprise: /<owner>/<repository>/blob/<ref>/<path>
  segments => (segments[2] === 'blob' ? { word: 2, path: 4 } : undefined),
  // GitLab: /<group>/…/<project>/-/blob/<ref>/<path>
  segments => find(segments, 3, at => segments[at - 1] === '-' && segments[at] === 'blob', 2),
  // Gitea and Forgejo: /<owner>/<repository>/src/branch|tag|commit/<ref>/<path>
  segments =>
    find(
      segments,
      2,
      at => segments[at] === 'src' && /^(?:branch|tag|commit)$/.test(segments[at + 1] ?? ''),
      3,
    ),
  // Bitbucket Server: /projects/<P>/repos/<r>/browse/<path>?at=<ref>
  segments =>
    find(
      segments,
      4,
      at =>
        segments[at] === 'browse' &&
        segments[at - 2] === 'repos' &&
        /^(?:projects|users)$/.test(segments[at - 4]!),
      1,
    ),
  // Bitbucket Cloud: /<workspace>/<repository>/src/<ref>/<path>
  segments => (segments[2] === 'src' ? { word: 2, path: 4 } : undefined),
]

function find(
  segments: string[],
  from: number,
  isWord: (at: number) => boolean,
  toPath: number,
): Place | undefined {
  for (let at = from; at < segments.length; at++) if (isWord(at)) return { word: at, path: at + toPath }
  return undefined
}

/** The file behind a code host's file page; undefined for other addresses. */
export function hostedFile(url: URL): HostedFile | undefined {
  const segments = segmentsOf(url)
  if (!segments) return undefined
  const place = FORMS.map(form => form(segments)).find(place => place !== undefined)
  if (!place || place.path >= segments.length) return undefined
  const path = segments.slice(place.path)
  return { raw: rawForm(url, segments, place.word), filename: path.at(-1)!, filepath: path.join('/') }
}

/** Builds the raw address from checked segments. Keeps the version parameter only: others may be secrets. */
function rawForm(url: URL, segments: string[], word: number) {
  const raw = new URL(url.origin)
  raw.pathname = segments.map((segment, at) => (at === word ? 'raw' : encodeURIComponent(segment))).join('/')
  const version = url.searchParams.get('at')
  if (segments[word] === 'browse' && version) raw.searchParams.set('at', version)
  return raw
}

/** The file at the end of any address, judged by its name alone. */
export function namedFile(url: URL): Pick<HostedFile, 'filename' | 'filepath'> | undefined {
  const segments = segmentsOf(url)
  return segments && { filename: segments.at(-1)!, filepath: segments.join('/') }
}

/**
 * The decoded segments of the path. Undefined if a segment is empty (a folder), or would become several segments or a
 * step up when a server behind this host decodes it again.
 */
function segmentsOf({ pathname }: URL): string[] | undefined {
  const segments = pathname.slice(1).split('/').map(decodedPart)
  return segments.every(isPlain) ? segments : undefined
}

const isPlain = (segment: string | undefined): segment is string =>
  segment !== undefined &&
  segment !== '' &&
  segment !== '.' &&
  segment !== '..' &&
  !/[/\\\p{Cc}]/u.test(segment)

function decodedPart(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (err) {
    if (err instanceof URIError) return undefined
    throw err
  }
}

/**
 * The lines that an anchor names: #L5, #L5-L9, #L5-9, #L5C2-L9C4 (GitHub, GitLab, Gitea), #lines-5:9 and #lines-5,7:9
 * (Bitbucket Cloud), #5-9 and #5,7-9 (Bitbucket Server). Returns the first of several ranges; accepts reversed ranges.
 */
export function namedLines({ hash }: URL): LineRange | undefined {
  const anchor = decodedPart(hash.slice(1)) ?? ''
  const [, first, last = first] =
    /^(?:L|lines-)?(\d{1,9})(?:C\d{1,9})?(?:[-:]L?(\d{1,9})(?:C\d{1,9})?)?(?:,[\d,:-]*)?$/.exec(anchor) ?? []
  const [start, end] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number]
  return start >= 1 ? { start, end } : undefined
}
