import { useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import { directoryOf, filesOf, ZIP_TAIL, type ZipEntry } from './zip-listing.ts'

/** In bytes: the part of a list that is read. */
const MOST_READ = 1024 * 1024
const SHOWN = 5
const MOST_SHOWN = 200

export interface ZipList {
  files: ZipEntry[]
  /** The list was too long to be read as a whole. */
  isCut: boolean
}

/** Reads the list by ranges, not the archive. Undefined for what is no archive. */
export async function readZip(address: string): Promise<ZipList | undefined> {
  const tail = await bytesOf(address, `-${ZIP_TAIL}`)
  const directory = tail && directoryOf(tail)
  if (!directory || directory.size === 0) return undefined
  const { offset, size } = directory
  const list = await bytesOf(address, `${offset}-${offset + Math.min(size, MOST_READ) - 1}`)
  return list && { files: filesOf(list), isCut: size > MOST_READ }
}

/** Undefined without the range: the whole file may be large. */
async function bytesOf(address: string, range: string): Promise<Uint8Array | undefined> {
  const abort = new AbortController()
  const response = await fetch(address, { headers: { Range: `bytes=${range}` }, signal: abort.signal })
  if (response.status === 206) return new Uint8Array(await response.arrayBuffer())
  abort.abort()
  return undefined
}

/** The files of an archive with their unpacked sizes. */
export function ZipContents({ list: { files, isCut }, name }: { list: ZipList; name: string }) {
  const [isWhole, setWhole] = useState(false)
  const shown = files.slice(0, isWhole ? MOST_SHOWN : SHOWN)
  const say = strings.files
  return (
    <div class="zip-contents">
      <ul aria-label={say.contents(name)}>
        {shown.map((file, at) => (
          <li key={at}>
            <bdi>{file.name}</bdi>
            <span class="tabular-numbers">{say.size(file.size)}</span>
          </li>
        ))}
      </ul>
      {!isWhole && files.length > SHOWN && (
        <button type="button" class="zip-contents-more" onClick={() => setWhole(true)}>
          {say.showAll(files.length)}
        </button>
      )}
      {isWhole && (files.length > MOST_SHOWN || isCut) && <p class="hint">{say.cutOff}</p>}
    </div>
  )
}
