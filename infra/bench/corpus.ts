/**
 * Sentences of natural English for benches: those of the documentation packages of Debian, each once, in an order that
 * is the same in every run. Needs apt-get and dpkg-deb; about 250 MB are downloaded, and nothing of it is kept.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PACKAGES = `
  apache2-doc debian-handbook debian-reference-en erlang-doc exim4-doc-html ghc-doc git-doc libboost1.74-doc
  libreoffice-help-en-us linux-doc-6.1 maxima-doc nodejs-doc octave-doc perl-doc postfix-doc postgresql-doc-15
  python-django-doc python-pandas-doc python-scipy-doc python-sqlalchemy-doc python3.11-doc rust-doc sqlite3-doc`
const BLOCK = /<(?:p|dd|li|td|blockquote)\b[^>]*>([\s\S]*?)<\/(?:p|dd|li|td|blockquote)>/gi
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The sentences, from a file that the first call of a machine makes. */
export function corpus(): string[] {
  const file = join(tmpdir(), 'bothy-corpus.txt')
  if (!existsSync(file)) {
    writeFileSync(`${file}.new`, make().join('\n'))
    renameSync(`${file}.new`, file)
  }
  return readFileSync(file, 'utf8').split('\n')
}

function make(): string[] {
  const folder = join(tmpdir(), `bothy-corpus-${process.pid}`)
  mkdirSync(folder)
  const sentences = new Map<string, string>()
  for (const name of PACKAGES.trim().split(/\s+/)) {
    execFileSync('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', name], { cwd: folder })
    const deb = readdirSync(folder).find(file => file.endsWith('.deb'))!
    execFileSync('dpkg-deb', ['-x', deb, 'unpacked'], { cwd: folder })
    for (const path of readdirSync(join(folder, 'unpacked'), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(html?|xhtml)$/.test(path)) continue
      for (const sentence of sentencesOf(readText(join(folder, 'unpacked', path))))
        sentences.set(createHash('md5').update(sentence).digest('hex'), sentence)
    }
    for (const rest of [deb, 'unpacked']) rmSync(join(folder, rest), { recursive: true })
  }
  rmSync(folder, { recursive: true })
  return [...sentences].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sentence]) => sentence)
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // A link to a package that is not here.
    return ''
  }
}

function* sentencesOf(html: string): Generator<string> {
  for (const [, block] of html.matchAll(BLOCK)) {
    const text = block!
      .replace(/<[^>]*>/g, '')
      .replace(/&(#x?)?(\w+);/g, (_, number, name) =>
        number
          ? String.fromCodePoint(Number(`${number === '#' ? '' : '0x'}${name}`) || 32)
          : (ENTITIES[name] ?? ' '),
      )
      .replace(/\s+/g, ' ')
    for (const sentence of text.split(/(?<=[.!?]) (?=[A-Z])/)) {
      const trimmed = sentence.trim()
      if (
        trimmed.length >= 20 &&
        trimmed.length <= 400 &&
        trimmed.split(' ').length >= 4 &&
        !/[\0\ufffd]/.test(trimmed)
      )
        yield trimmed
    }
  }
}
