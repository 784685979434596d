/** The list of files at the end of a ZIP archive (APPNOTE 4.3), read by ranges. Pure. */

export interface ZipEntry {
  name: string
  /** In bytes, unpacked. */
  size: number
}

export interface ZipDirectory {
  /** Files and folders. */
  count: number
  offset: number
  size: number
}

/** The end record is within these last bytes, with the longest comment. */
export const ZIP_TAIL = 22 + 0xffff

const END = 0x06054b50
const ENTRY = 0x02014b50
/** Sizes of archives above 4 GiB are elsewhere (ZIP64). */
const ELSEWHERE = 0xffffffff

/** Where the list is. Undefined for a file that is no archive, is cut off, or is larger than 4 GiB. */
export function directoryOf(tail: Uint8Array): ZipDirectory | undefined {
  const view = viewOf(tail)
  for (let at = tail.length - 22; at >= 0; at--) {
    if (view.getUint32(at, true) !== END) continue
    const size = view.getUint32(at + 12, true)
    const offset = view.getUint32(at + 16, true)
    return offset === ELSEWHERE || size === ELSEWHERE
      ? undefined
      : { count: view.getUint16(at + 10, true), offset, size }
  }
  return undefined
}

/** The files of the list, without folders; a list that is cut off gives those before the cut. */
export function filesOf(list: Uint8Array): ZipEntry[] {
  const view = viewOf(list)
  const text = new TextDecoder()
  const files: ZipEntry[] = []
  let at = 0
  while (at + 46 <= list.length && view.getUint32(at, true) === ENTRY) {
    const length = view.getUint16(at + 28, true)
    const end = at + 46 + length
    if (end > list.length) break
    const name = text.decode(list.subarray(at + 46, end))
    if (!name.endsWith('/')) files.push({ name, size: view.getUint32(at + 24, true) })
    at = end + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
