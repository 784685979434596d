import { crc32 } from 'node:zlib'

/** An archive of stored, unpacked files. */
export function zipOf(files: [name: string, text: string][], comment = ''): Uint8Array {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const [name, text] of files) {
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    writeSizes(head, 14, name, text)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    // Names are in UTF-8.
    entry.writeUInt16LE(0x0800, 8)
    writeSizes(entry, 16, name, text)
    entry.writeUInt32LE(offset, 42)
    parts.push(head, Buffer.from(name), Buffer.from(text))
    list.push(entry, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + Buffer.byteLength(text)
  }
  const directory = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  return new Uint8Array(Buffer.concat([...parts, directory, end, Buffer.from(comment)]))
}

/** Checksum, packed and unpacked size, and the length of the name. */
function writeSizes(head: Buffer, at: number, name: string, text: string) {
  head.writeUInt32LE(crc32(text), at)
  head.writeUInt32LE(Buffer.byteLength(text), at + 4)
  head.writeUInt32LE(Buffer.byteLength(text), at + 8)
  head.writeUInt16LE(Buffer.byteLength(name), at + 12)
}
