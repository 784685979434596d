import { execFile } from 'node:child_process'
import { appendFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { Person } from '#shared/test-kit/person.ts'
import { temporaryFolder } from '../processes/children.ts'
import { freePort } from '../processes/free-port.ts'
import { writeOfflineBundle } from '../release/offline-bundle.ts'
import { commitOfClone } from '../run/commit-of-clone.ts'
import { whyNoCompose } from './compose.fixture.ts'

const run = promisify(execFile)

describe('the offline bundle', function () {
  this.timeout(15 * 60_000)

  it('installs bothy from its images alone, and refuses a changed file', async function () {
    const reason = await whyNoCompose()
    if (reason) {
      console.log(`  (the bundle is not tried: ${reason})`)
      this.skip()
    }
    const { path: folder, remove } = temporaryFolder('bothy-bundle-')
    const port = await freePort()
    const env = {
      ...process.env,
      COMPOSE_PROJECT_NAME: `bothy-bundle-${process.pid}`,
      PORT: String(port),
      STUN_PORT: String(await freePort()),
    }
    const here = { cwd: folder, env }
    await writeOfflineBundle(folder, () => {})
    expect(await readdir(folder)).to.include.members(['sbom.cdx.json', 'docker-compose.yml', 'SHA256SUMS'])
    try {
      await run('docker', ['image', 'rm', '--force', 'bothy'])
      const { stdout } = await run(join(folder, 'install.sh'), [], here)
      expect(stdout).to.match(/\/claim\//)
      const ada = await new Person('ada', `http://127.0.0.1:${port}`).signUp()
      await ada.send('general', 'installed without internet')
      expect((await ada.get<{ commit: string }>('/version')).commit).to.equal(commitOfClone())
    } finally {
      await run('docker', ['compose', 'down', '--volumes', '--timeout', '5'], here)
    }
    await appendFile(join(folder, 'infra/Caddyfile'), '# changed')
    const refusal = await run(join(folder, 'install.sh'), [], here).catch(err => err)
    expect(refusal.stdout).to.include('infra/Caddyfile')
    remove()
  })
})
