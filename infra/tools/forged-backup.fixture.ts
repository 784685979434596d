import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { isSealed } from '#shared/backup/parts.ts'
import { Key } from '#shared/backup/sealing.ts'

/** The manifest as JSON, of any form. */
// biome-ignore lint/suspicious/noExplicitAny: forged manifests have wrong types.
export type Loose = any

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A copy of a backup and its files, to be changed by somebody who can compute checksums. */
export class ForgedBackup {
  readonly path: string
  manifest: Loose

  constructor(original: string, place: string) {
    cpSync(dirname(original), place, { recursive: true })
    this.path = join(place, basename(original))
    this.manifest = JSON.parse(readFileSync(join(this.path, 'manifest.json'), 'utf8'))
  }

  get place() {
    return dirname(this.path)
  }

  stored(part: string): Buffer {
    return readFileSync(join(this.path, part))
  }

  contentOf(part: string): Buffer {
    return zstdDecompressSync(this.stored(part))
  }

  entry(part: string): Loose {
    return this.manifest.parts.find(({ path }: Loose) => path === part)
  }

  /** Replaces the content of a part, with the checksums that belong to it. */
  setContent(part: string, content: string | Buffer) {
    this.setStored(part, zstdCompressSync(content))
    this.entry(part).content_bytes = Buffer.byteLength(content)
    const rows = [...this.manifest.tables, this.manifest.newest].find((one: Loose) => one.part === part)
    if (rows) rows.sha256 = sha256(content)
  }

  setStored(part: string, bytes: Buffer) {
    writeFileSync(join(this.path, part), bytes)
    Object.assign(this.entry(part), { bytes: bytes.length, sha256: sha256(bytes) })
  }

  setLines(part: string, change: (lines: string[]) => string[]) {
    const lines = this.contentOf(part).toString('utf8').trimEnd().split('\n')
    this.setContent(
      part,
      change(lines)
        .map(line => `${line}\n`)
        .join(''),
    )
  }

  /** Stores the manifest and its checksum. */
  seal(text = JSON.stringify(this.manifest, null, 1)) {
    writeFileSync(join(this.path, 'manifest.json'), text)
    writeFileSync(join(this.path, 'manifest.sha256'), `${sha256(text)}  manifest.json\n`)
  }

  /** A backup of version 1, as releases before 26 November 2026 made it. */
  async toVersion1(passphrase?: string) {
    const { encryption, id } = this.manifest
    const key = encryption && (await Key.of(passphrase!, encryption))
    for (const { path } of this.manifest.parts) {
      if (key && isSealed(path)) {
        const content = await buffer(Readable.from([this.stored(path)]).pipe(key.open(`${id} ${path}`)))
        this.setStored(path, await buffer(Readable.from([content]).pipe(key.seal(path))))
      }
      delete this.entry(path).content_bytes
    }
    delete this.manifest.id
    this.manifest.version = 1
    rmSync(join(this.path, 'manifest.hmac'), { force: true })
    this.seal()
  }

  end() {
    rmSync(this.place, { recursive: true, force: true })
  }
}
