import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { documentWith, undescribed } from './endpoint-table.ts'
import { ENDPOINTS, ROUTES } from './endpoints.ts'

describe('the table of endpoints', () => {
  it('has each method and path once', () => {
    expect(ROUTES).to.have.length(new Set(ROUTES).size)
  })

  it('contains every endpoint of the code', () => {
    const code = globSync('services/api/*/**/*routes.ts', { cwd: ROOT }).map(file =>
      readFileSync(join(ROOT, file), 'utf8'),
    )
    const written = code.flatMap(source => [...source.matchAll(/^ {2}endpoint\($/gm)])
    // Methods of Slack's Web API are two endpoints each.
    const methods = globSync('services/api/slack-api/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] }).flatMap(
      file => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\.\.\.method\(/g)],
    )
    // The routes of signalling serve calls and screenshares.
    expect(ENDPOINTS).to.have.length(written.length + 4 + 2 * methods.length)
    // Express' own routes would be missing here.
    expect(code.filter(source => /\bRouter\(\)/.test(source))).to.deep.equal([])
  })

  it('has a sentence for each, which begins with a verb', () => {
    for (const { method, path, summary } of ENDPOINTS) {
      expect(summary, `${method} ${path}`).to.match(/^[A-Z][a-z]+s .*[^.]\.$/)
      expect(summary!.length, `${method} ${path}`).to.be.at.most(80)
    }
  })

  it('tells the statuses of each', () => {
    for (const { path, answers, fails = [], errors, body, query } of ENDPOINTS) {
      expect(Object.keys(answers), path).to.not.have.length(0)
      for (const status of fails) expect(status, path).to.be.within(400, 503)
      if (errors === undefined && (body || query)) expect(fails, path).to.include(400)
    }
  })

  it('names the fields of every query and body', () => {
    // Middleware before the body is read, and bodies of any type.
    const others = /^(middleware|account.forms|account.settings|people.presence)\b/
    for (const file of globSync('services/api/*/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })) {
      if (others.test(file.replace('services/api/', ''))) continue
      expect(readFileSync(join(ROOT, file), 'utf8'), file).to.not.match(/\breq\.(query|body)\b/)
    }
    // `GET /search?q=&limit=` of the interface.
    const document = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8')
    for (const [, method, path, query] of document.matchAll(/\b(GET|POST) `?(\/[^\s`?]*)\?([^\s`]*)/g)) {
      const isAsked = RegExp(`^${path!.replaceAll(/<[^>]*>/g, ':\\w+')}$`)
      const found = ENDPOINTS.filter(one => one.method.toUpperCase() === method && isAsked.test(one.path))
      const names = [...query!.matchAll(/(?:^|&)(\w+)=/g)].map(([, name]) => name!)
      for (const one of found)
        expect(one.query, one.path).to.have.property('entries').that.includes.keys(names)
    }
  })

  it('is the one of the interface; `node services/api/endpoint-table.ts` writes it', () => {
    const file = join(ROOT, 'docs/interface.md')
    const document = readFileSync(file, 'utf8')
    expect(document).to.equal(documentWith(ENDPOINTS, document))
    expect(undescribed(ENDPOINTS, document)).to.deep.equal([])
  })
})
