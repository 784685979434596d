import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { repositoryFiles } from '../test-runner/import-graph.ts'

/**
 * References to the documents in docs/: "interface 4.3, 8", "security 11", "ui.md 6.1 and 10". They occur in comments, titles of
 * tests and documents.
 */
const DOCUMENTS = {
  interface: { file: 'docs/interface.md', prefix: '' },
  architecture: { file: 'docs/architecture.md', prefix: '' },
  layout: { file: 'docs/architecture.md', prefix: 'layout-' },
  security: { file: 'docs/security.md', prefix: '' },
  style: { file: 'docs/style.md', prefix: '' },
  'ui.md': { file: 'docs/ui.md', prefix: '' },
} as const

const SCANNED = [
  '*.{md,json,yml}',
  '{docs,infra,services,shared,web,.github}/**/*.{ts,tsx,js,mjs,css,html,sql,lua,md,yml,yaml}',
]
/** Has examples of references that do not resolve. */
const THIS_FILE = 'infra/consistency-tests/references.test.ts'

interface Reference {
  text: string
  file: string
  /** Undefined: the document has no such section. */
  anchor: string | undefined
}

describe('references', () => {
  const anchors = new Map<string, ReadonlySet<string>>()
  const anchorsOf = (file: string) => {
    const found = anchors.get(file) ?? anchorsIn(readFileSync(join(ROOT, file), 'utf8'))
    anchors.set(file, found)
    return found
  }
  const files = globSync(SCANNED, {
    cwd: ROOT,
    exclude: path => /(^|\/)(node_modules|dist|\.data)$/.test(path),
  })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => file !== THIS_FILE && file !== 'package-lock.json')
    .sort()

  it('to sections of docs/ resolve, in code, tests and documents', () => {
    const references = files.flatMap(file =>
      referencesIn(readFileSync(join(ROOT, file), 'utf8'), anchorsOf).map(found => ({
        ...found,
        from: file,
      })),
    )
    expect(references.length).to.be.above(250)
    const broken = references.filter(({ anchor }) => anchor === undefined)
    expect(broken.map(({ from, text }) => `${from}: ${text}`)).to.deep.equal([])
  })

  it('within the interface resolve, such as (11.6)', () => {
    const { file } = DOCUMENTS.interface
    const numbers = readFileSync(join(ROOT, file), 'utf8').matchAll(
      /(?<![\d.])[1-9]\d?\.\d+(?:\.\d+)?(?![\d.]| (?:[KMG]B|s|seconds)\b)/g,
    )
    const sections = [...numbers].map(([section]) => section)
    expect(sections.length).to.be.above(100)
    expect(sections.filter(section => !anchorsOf(file).has(section))).to.deep.equal([])
  })

  it('between documents lead to files and headings that exist', () => {
    const links = files
      .filter(file => file.endsWith('.md'))
      .flatMap(file => linksIn(readFileSync(join(ROOT, file), 'utf8')).map(target => ({ file, target })))
    expect(links.length).to.be.above(80)
    const broken = links.filter(({ file, target }) => !leadsSomewhere(file, target, anchorsOf))
    expect(broken.map(({ file, target }) => `${file}: ${target}`)).to.deep.equal([])
  })

  it('to files in backticks name files of the repository', () => {
    const known = [...repositoryFiles()].map(path => `/${path}`)
    const named = files
      .filter(file => file.endsWith('.md') && file !== 'CHANGELOG.md')
      .flatMap(file => filesIn(readFileSync(join(ROOT, file), 'utf8')).map(name => ({ file, name })))
    expect(named.length).to.be.above(300)
    const missing = named.filter(({ name }) => !known.some(path => path.endsWith(`/${name}`)))
    expect(missing.map(({ file, name }) => `${file}: ${name}`)).to.deep.equal([])
  })

  it('are found in every form that the code uses', () => {
    const found = (text: string) => referencesIn(text, anchorsOf).map(({ text, anchor }) => [text, anchor])
    expect(found('(interface 4.3, 8)')).to.deep.equal([
      ['interface 4.3', '4.3'],
      ['interface 8', '8'],
    ])
    expect(found('(ui.md 6.1 and 10)')).to.deep.equal([
      ['ui.md 6.1', '6.1'],
      ['ui.md 10', '10'],
    ])
    expect(found('Interface 6, rule 2')).to.deep.equal([['interface 6', '6']])
    expect(found('(layout 4)')).to.deep.equal([['layout 4', 'layout-4']])
    expect(found('security.md, section 3')).to.deep.equal([['security 3', '3']])
    expect(found(' * of a call (interface\n * 3.1).')).to.deep.equal([['interface 3.1', '3.1']])
  })

  it('to sections that do not exist are found too', () => {
    const broken = (text: string) =>
      referencesIn(text, anchorsOf).filter(({ anchor }) => anchor === undefined)
    expect(broken('interface 4.99')).to.have.length(1)
    expect(broken('style 99')).to.have.length(1)
  })
})

/** Line breaks within comments do not end a reference. */
const joined = (source: string) => source.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|--|#(?= ))?\s*/g, ' ')

function referencesIn(source: string, anchorsOf: (file: string) => ReadonlySet<string>): Reference[] {
  const text = joined(source)
  const number = String.raw`\d+(?:\.\d+)*`
  const numbered = new RegExp(
    String.raw`\b(interface|architecture|layout|security|style|ui\.md)(?:\.md)?,? (?:sections? )?(${number}(?:(?:, | and )${number})*)(?![\w%])`,
    'gi',
  )
  const found: Reference[] = []
  for (const [, name, list] of text.matchAll(numbered)) {
    const key = name!.toLowerCase() as keyof typeof DOCUMENTS
    const { file, prefix } = DOCUMENTS[key]
    for (const section of list!.split(/, | and /)) {
      const anchor = prefix + section
      found.push({
        text: `${key} ${section}`,
        file,
        anchor: anchorsOf(file).has(anchor) ? anchor : undefined,
      })
    }
  }
  return found
}

/** Explicit anchors, and the headings as they are linked to on code hosts. */
function anchorsIn(markdown: string): ReadonlySet<string> {
  const ids = [...markdown.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id!)
  const headings = [...withoutFences(markdown).matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) => slugOf(title!))
  return new Set([...ids, ...headings])
}

const slugOf = (title: string) =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const withoutFences = (markdown: string) => markdown.replaceAll(/^```[\s\S]*?^```/gm, '')

/** Names like `routes.ts` or `shared/stores/keys.ts`: paths or their ends, not absolute ones. */
function filesIn(markdown: string): string[] {
  const names = withoutFences(markdown).matchAll(
    /`(?:\.\.?\/)*([\w.-][\w./-]*\.(?:tsx?|mjs|css|sql|lua|md|sh|yml))`/g,
  )
  return [...names].map(([, name]) => name!)
}

function linksIn(markdown: string): string[] {
  const prose = withoutFences(markdown).replaceAll(/(`+)[^\n]*?[^`]\1(?!`)/g, 'code')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter(target => !/^\w+:/.test(target))
}

function leadsSomewhere(from: string, target: string, anchorsOf: (file: string) => ReadonlySet<string>) {
  const [path, anchor] = target.split('#', 2)
  const file = path === '' ? from : join(dirname(from), path!).replaceAll('\\', '/')
  if (!existsSync(join(ROOT, file))) return false
  if (anchor === undefined) return true
  return statSync(join(ROOT, file)).isFile() && anchorsOf(file).has(anchor)
}
