import type { LineRange } from '#shared/rules/code-preview.ts'

/** A file on a code host: where its bytes are, and what to call it. */
export interface HostedFile {
  raw: URL
  filename: string
  /** Within the repository. */
  filepath: string
}

/** Where a form of address has the word that leads to a file's page (the raw form has `raw` there), and the file's path. */
interface Place {
  word: number
  path: number
}

/**
 * The pages of files by the form of their path, on whatever host (decisions, "Code hosts"). The first that fits counts:
 * the path of a file on GitHub may well go through `src/branch`. A ref is taken to be one segment. Where it is more, the
 * raw form is the same, only the rest of the ref is shown with the path.
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

/** The file that an address shows, when it has the form of a code host's page for a file. */
export function hostedFile(url: URL): HostedFile | undefined {
  const segments = segmentsOf(url)
  if (!segments) return undefined
  const place = FORMS.map(form => form(segments)).find(place => place !== undefined)
  if (!place || place.path >= segments.length) return undefined
  const path = segments.slice(place.path)
  return { raw: rawForm(url, segments, place.word), filename: path.at(-1)!, filepath: path.join('/') }
}

/** Built anew from parts that were looked at. Of the parameters only the version goes along: others may be keys. */
function rawForm(url: URL, segments: string[], word: number) {
  const raw = new URL(url.origin)
  raw.pathname = segments.map((segment, at) => (at === word ? 'raw' : encodeURIComponent(segment))).join('/')
  const version = url.searchParams.get('at')
  if (segments[word] === 'browse' && version) raw.searchParams.set('at', version)
  return raw
}

/** The file that any address ends in, by its name alone. */
export function namedFile(url: URL): Pick<HostedFile, 'filename' | 'filepath'> | undefined {
  const segments = segmentsOf(url)
  return segments && { filename: segments.at(-1)!, filepath: segments.join('/') }
}

/**
 * The parts of the path, decoded. None at all when one of them is empty (so it is a folder) or would be more than one part,
 * or a step up, once somebody behind this host decodes it again.
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
 * (Bitbucket Cloud), #5-9 and #5,7-9 (Bitbucket Server). Of several the first; in either order.
 */
export function namedLines({ hash }: URL): LineRange | undefined {
  const anchor = decodedPart(hash.slice(1)) ?? ''
  const [, first, last = first] =
    /^(?:L|lines-)?(\d{1,9})(?:C\d{1,9})?(?:[-:]L?(\d{1,9})(?:C\d{1,9})?)?(?:,[\d,:-]*)?$/.exec(anchor) ?? []
  const [start, end] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number]
  return start >= 1 ? { start, end } : undefined
}
