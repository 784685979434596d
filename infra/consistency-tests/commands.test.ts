import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { ROOT, VARIABLES } from '#shared/runtime/variables.ts'
import { UsageError } from '../tools/command.ts'
import { commands, readCommand } from '../tools/run-command.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/operations.md',
  'docs/decisions.md',
  'infra/README.md',
  'infra/observe/alerts.yml',
  'infra/kubernetes/chart/templates/NOTES.txt',
]
const containers = Object.keys(parse(read('docker-compose.yml'), { merge: true }).services as object)

interface Line {
  file: string
  text: string
}

/** Compares each command of the documents with the program that takes it. None is run. */
describe('the commands of the documents', () => {
  const lines = DOCUMENTS.flatMap(file => commandLines(read(file)).map(text => ({ file, text })))
  const found = (form: RegExp) =>
    lines.flatMap(({ file, text }) =>
      [...text.matchAll(form)].map(([, rest = '']) => ({ file, text: rest.trim() })),
    )

  it('of the operator have the form that npm run admin accepts', () => {
    const operators = found(
      /(?:npm run admin --|\brun --rm (?:-v \S+ )?admin\b|infra\/tools\/admin\.ts)(?= |$)([^#;|&)]*)/g,
    ).filter(({ text }) => text !== '' && !/^(?:…|<command>)/.test(text))
    expect(operators.length).to.be.above(45)
    expect(operators.flatMap(refusal)).to.deep.equal([])
  })

  it('of the operator are all in the table of docs/operations.md, with every option', () => {
    const [table = ''] = /^## 10 Commands$.*/ms.exec(read('docs/operations.md'))!
    const back = read('docs/operations.md')
    for (const [name, { options = [], flags = [] }] of Object.entries(commands)) {
      expect(table, name).to.match(
        new RegExp(`^\\|[^|]*\`${name}[ \`]|\`[^\`|]*\\b${name}\\b[^\`|]*\` `, 'm'),
      )
      for (const option of [...options, ...flags]) expect(back, name).to.include(`--${option}`)
    }
  })

  it('of npm are scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = found(/\bnpm run (?:--silent )?([\w:-]+)/g)
    expect(named.length).to.be.above(60)
    for (const { file, text } of named) expect(Object.keys(scripts), file).to.include(text)
  })

  it('of Docker name files and containers that exist', () => {
    const composed = found(/\bdocker compose ([^#;|&)]*)/g)
    expect(composed.length).to.be.above(35)
    expect(composed.flatMap(unknownToCompose)).to.deep.equal([])
  })

  it('that make a new session key restart each container that has the key', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { environment?: object; profiles?: string[] }>
    }
    const holders = Object.entries(services)
      .filter(([, { environment = {}, profiles }]) => 'SESSION_SECRET_FILE' in environment && !profiles)
      .map(([name]) => name)
    expect(holders).to.have.members(['api', 'events', 'janitor'])
    const [restarted, ...more] = found(/docker compose up -d --force-recreate ([^#;|&)]*)/g)
    expect(more).to.deep.equal([])
    expect(restarted!.text.split(' ')).to.have.members(['setup', ...holders])
  })

  it('name programs, tests and examples that exist', () => {
    const paths = found(/(?:^|[ `'"=:])((?:infra|shared|services|web|docs)\/[\w./*{},-]+\w)/g)
    expect(paths.length).to.be.above(60)
    const missing = paths.filter(
      ({ text }) => globSync(text.replace(/:.*/, ''), { cwd: ROOT }).length === 0 && !isMade(text),
    )
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).to.deep.equal([])
  })

  it('set variables that something reads', () => {
    const known = new Set([...Object.keys(VARIABLES), ...assignedIn(read('infra/env.example'))])
    for (const file of globSync('{docker-compose.yml,infra/{observe/,}compose.*.yml}', { cwd: ROOT }))
      for (const [, name] of read(file).matchAll(/\$\{([A-Z_]+)/g)) known.add(name!)
    // Of Compose itself, of the test runner, and of the shell.
    for (const name of ['COMPOSE_FILE', 'SLOW_MO', 'API_KEY']) known.add(name)
    const set = lines.flatMap(({ file, text }) => assignedIn(text).map(name => ({ file, name })))
    expect(set.length).to.be.above(30)
    for (const { file, name } of set) expect([...known], file).to.include(name)
  })
})

describe('the scripts of operators', () => {
  const scripts = globSync('infra/**/*.sh', { cwd: ROOT })
  const faultsBy = (program: string, ...args: string[]) =>
    scripts.flatMap(script => {
      const { error, status, stdout, stderr } = spawnSync(program, [...args, join(ROOT, script)], {
        encoding: 'utf8',
      })
      if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return []
      return status === 0 ? [] : [stdout + stderr]
    })

  it('are understood by sh and bash, and shellcheck has no objection where it is installed', () => {
    expect(scripts).to.include.members(['infra/upgrade.sh', 'infra/release/install.sh'])
    expect(faultsBy('sh', '-n')).to.deep.equal([])
    expect(faultsBy('bash', '-n')).to.deep.equal([])
    expect(faultsBy('shellcheck')).to.deep.equal([])
  })
})

/** Lines of blocks of code, and code within lines. */
function commandLines(document: string): string[] {
  const blocks = [...document.matchAll(/^ *```\w*\n(.*?)^ *```$/gms)].flatMap(([, block]) =>
    block!.split('\n'),
  )
  const rest = document.replace(/^ *```.*?^ *```$/gms, '')
  const indented = rest.split('\n').filter(line => /^ {4}\S/.test(line))
  const inline = [...rest.matchAll(/`([^`]+)`/g)].map(([, code]) => code!.replaceAll('\n', ' '))
  return [...blocks, ...indented, ...inline]
}

/** Words of a shell, with names in `<…>` as one word. */
const wordsOf = (text: string) =>
  [...text.matchAll(/<[^>]*>|'([^']*)'|"([^"]*)"|[^\s'"]+/g)]
    .map(([word, single, double]) => single ?? double ?? word)
    .filter(word => word !== '…')

function refusal({ file, text }: Line): string[] {
  try {
    readCommand(wordsOf(text))
    return []
  } catch (err) {
    if (!(err instanceof UsageError)) throw err
    return [`${file}: ${text}: ${err.message.split('\n', 1)[0]}`]
  }
}

const VERBS = [
  'up',
  'down',
  'ps',
  'logs',
  'exec',
  'run',
  'restart',
  'stop',
  'cp',
  'config',
  'build',
  'version',
  'pull',
]

function unknownToCompose({ file, text }: Line): string[] {
  const words = wordsOf(text)
  const faults: string[] = []
  while (words[0] === '-f') {
    const [, named] = words.splice(0, 2)
    if (!existsSync(join(ROOT, named!))) faults.push(`no file ${named}`)
  }
  const verb = words.shift()
  if (!VERBS.includes(verb!)) faults.push(`no verb ${verb}`)
  for (const name of containersIn(verb!, words))
    if (!containers.includes(name)) faults.push(`no container ${name}`)
  return faults.map(fault => `${file}: docker compose ${text}: ${fault}`)
}

function containersIn(verb: string, words: string[]): string[] {
  const named = words
    .filter(
      (word, i) => !word.startsWith('-') && !['-v', '--scale', '--timeout', '--tail'].includes(words[i - 1]!),
    )
    .filter(word => !word.startsWith('<'))
  if (verb === 'exec' || verb === 'run') return named.slice(0, 1)
  if (verb === 'cp') return named.filter(word => word.includes(':')).map(word => word.split(':', 1)[0]!)
  return ['version', 'config'].includes(verb) ? [] : named
}

const assignedIn = (text: string) =>
  [...text.matchAll(/(?:^|[\s#'])([A-Z][A-Z_]{3,})=(?!=)/gm)].map(([, name]) => name!)

/** By the operator, or by a build. */
const isMade = (path: string) => /^(?:infra\/(?:certificate\/|settings\/settings\.json)|web\/dist)/.test(path)
