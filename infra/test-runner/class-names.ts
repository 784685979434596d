import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SHEETS = ['web/src/**/*.css', 'services/api/pages/*.css']
const PAGES = [
  'web/src/**/*.{ts,tsx,svg}',
  'web/index.html',
  'services/api/{pages,account,api-document}/**/*.{ts,js,svg}',
]

/** Classes without a rule of their own: a browser test or a script finds elements by them. */
const HOOKS = new Set(['emoji', 'list-end', 'menu'])

/** Problems in the class names of the style sheets and of the components and pages that use them. */
export function classProblems(root: string): string[] {
  const rules = collect(root, SHEETS, classesOfSheet)
  const uses = collect(root, PAGES, classesOfPage)
  const words = collect(root, PAGES, wordsOfPage)
  const isUsed = (name: string) => words.has(name) || words.has(`${name.replace(/[^-]+$/, '')}\${`)
  return [
    ...[...uses].filter(([name]) => !rules.has(name) && !HOOKS.has(name)).map(inWords('has no rule')),
    ...[...rules].filter(([name]) => !isUsed(name)).map(inWords('is not used')),
  ]
}

const inWords =
  (problem: string) =>
  ([name, path]: [string, string]) =>
    `${path}: .${name} ${problem}`

/** Names with the first file that contains each. */
function collect(root: string, globs: string[], namesOf: (text: string) => string[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const path of globSync(globs, { cwd: root })) {
    if (path.includes('.test.')) continue
    for (const name of namesOf(readFileSync(join(root, path), 'utf8')))
      if (!names.has(name)) names.set(name, path)
  }
  return names
}

/** The classes in the selectors of a style sheet. */
export function classesOfSheet(css: string): string[] {
  const selectors = css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{/g)
  return [...selectors].flatMap(([, selector]) =>
    [...selector!.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name!),
  )
}

/** The classes in `class` attributes. A class with a computed end, as in `icon-${size}`, is left out. */
export function classesOfPage(source: string): string[] {
  const fixed = [...source.matchAll(/\bclass="([^"]*)"/g)].map(([, value]) => value!)
  const computed = [...source.matchAll(/\bclass=\{(.*?)\}(?=[\s/>])/gs)].flatMap(([, code]) =>
    [...code!.replaceAll(/[!=]== '[^']*'/g, '').matchAll(/'([^']*)'|`([^`$]*)|\}([^`$]*)(?=[`$])/g)].map(
      ([, quoted, start, end]) => quoted ?? start ?? end!,
    ),
  )
  return [...fixed, ...computed].flatMap(value =>
    value
      .replaceAll(/\$\{.*?\}/gs, '-')
      .split(/\s+/)
      .filter(name => /^[a-z][\w-]*[^-]$/.test(name)),
  )
}

/** Each word that may be a class; of a computed one its start with `${`. */
function wordsOfPage(source: string): string[] {
  return source.match(/(?<=["'`\s.}])[a-z][\w-]*(?=["'`\s,[:)>$+]|\$\{)(?:(?<=-)\$\{)?/g) ?? []
}
