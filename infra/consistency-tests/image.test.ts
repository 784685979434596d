import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'

/** Reads infra/Dockerfile without an engine; infra/system-tests/compose.test.ts builds it. */
describe('the image', () => {
  const copied = [
    ...readFileSync(join(ROOT, 'infra/Dockerfile'), 'utf8').matchAll(/^COPY (?!--from)(.*) \S+$/gm),
  ]
    .flatMap(([, sources]) => sources!.split(' '))
    .concat('web/dist')

  it('contains the files of the client that the services read', () => {
    const read = globSync('services/**/*.ts', { cwd: ROOT })
      .filter(file => !file.includes('.test.'))
      .flatMap(file => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/'((?:styles|ui)\/[\w.-]+)'/g)])
      .map(([, name]) => `web/src/${name}`)
    expect(read).to.include('web/src/ui/controls.css')
    // The stage that builds the client copies all of `web`.
    const inImage = copied.filter(path => path !== 'web')
    for (const path of read)
      expect(
        inImage.some(source => path === source || path.startsWith(`${source}/`)),
        path,
      ).to.equal(true)
  })
})
