import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  hasSignature,
  isInline,
  kindOfType,
  shownFileName,
  storedFileName,
  typeOfName,
} from './file-types.ts'
import { isStoredName } from './uploads.ts'

describe('types of files (messages, section 6)', () => {
  it('come from the extension, in any case', () => {
    const types: Record<string, string> = {
      'report.PDF': 'application/pdf',
      'film.Mp4': 'video/mp4',
      'archive.tar.gz': 'application/gzip',
      'sheet.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'main.rs': 'text/plain',
      Dockerfile: 'text/plain',
      'setup.exe': 'application/octet-stream',
      noextension: 'application/octet-stream',
      'trap.pdf.': 'application/octet-stream',
      __proto__: 'application/octet-stream',
      'x.__proto__': 'application/octet-stream',
    }
    for (const [name, type] of Object.entries(types)) expect(typeOfName(name), name).to.equal(type)
  })

  it('make pages, drawings, markup and scripts plain text that is never shown in place', () => {
    for (const name of [
      'a.html',
      'a.htm',
      'a.xhtml',
      'a.svg',
      'a.xml',
      'a.js',
      'a.mjs',
      'a.css',
      'a.php',
      'a.sh',
    ]) {
      expect(typeOfName(name), name).to.equal('text/plain')
      expect(isInline(typeOfName(name)), name).to.equal(false)
    }
  })

  it('sort into the kinds of lists', () => {
    const kinds = {
      'a.heic': 'image',
      'a.mkv': 'video',
      'a.opus': 'audio',
      'a.pdf': 'pdf',
      'a.json': 'text',
      'a.zip': 'other',
    }
    for (const [name, kind] of Object.entries(kinds))
      expect(kindOfType(typeOfName(name)), name).to.equal(kind)
  })

  it('are confirmed by the beginning of the content where browsers show them', () => {
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
    const right: Record<string, string> = {
      'video/mp4': '\0\0\0\x20ftypisom',
      'audio/mp4': '\0\0\0\x20ftypM4A ',
      'video/quicktime': '\0\0\0\x14ftypqt  ',
      'video/webm': '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm',
      'audio/ogg': 'OggS\0\x02',
      'audio/wav': 'RIFF\x24\0\0\0WAVEfmt ',
      'audio/flac': 'fLaC\0\0',
      'audio/mpeg': '\xff\xfb\x90\x44',
      'application/pdf': '%PDF-1.7',
    }
    for (const [type, head] of Object.entries(right)) {
      expect(hasSignature(type, bytes(head)), type).to.equal(true)
      expect(hasSignature(type, bytes('<!doctype html><script>')), type).to.equal(false)
      expect(hasSignature(type, new Uint8Array()), type).to.equal(false)
    }
    expect(hasSignature('audio/mpeg', bytes('ID3\x04'))).to.equal(true)
    expect(hasSignature('video/webm', bytes('\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska'))).to.equal(false)
    expect(hasSignature('text/plain', bytes('hello'))).to.equal(false)
  })
})

describe('names of files', () => {
  it('keep everything but folders, control characters and marks of direction', () => {
    const names: Record<string, string> = {
      '../../etc/passwd': 'passwd',
      'C:\\Users\\ada\\plan.pdf': 'plan.pdf',
      'say "hi" 🙂.pdf': 'say "hi" 🙂.pdf',
      'a\u202egnp.exe': 'agnp.exe',
      'a\r\nb\0.txt': 'ab.txt',
      '..': 'file',
      '': 'file',
      '  ': 'file',
    }
    for (const [name, shown] of Object.entries(names)) expect(shownFileName(name), name).to.equal(shown)
    expect(shownFileName(`${'x'.repeat(296)}.pdf`)).to.have.length(300)
  })

  it('become stored names of any name, with the extension of a long one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 1_500, unit: 'binary' }), name => {
        const shown = shownFileName(name)
        expect(shown.isWellFormed()).to.equal(true)
        expect(isStoredName(storedFileName(randomUUID(), shown))).to.equal(true)
      }),
    )
    expect(storedFileName(randomUUID(), `${'ä'.repeat(300)}.docx`)).to.match(/^[0-9a-f]{32}_{196}\.docx$/)
  })
})
