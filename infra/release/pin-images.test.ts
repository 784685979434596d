import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { digestOf, imagesIn, pinned, unpinned } from './pin-images.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`

describe('the digests of images', () => {
  it('are those of each image by others, and not of ours', () => {
    expect(imagesIn(unpinned(read('docker-compose.yml')))).to.have.members([
      'caddy:2',
      'postgres:17',
      'redis:7',
    ])
    expect(imagesIn(read('infra/Dockerfile'))).to.deep.equal(['node:24-bookworm-slim'])
    expect(imagesIn(read('infra/observe/compose.observe.yml'))).to.have.length(2)
    expect(imagesIn('    image: mirror.lan:5000/library/caddy:2 # here')).to.deep.equal([
      'mirror.lan:5000/library/caddy:2',
    ])
    expect(imagesIn('  image: bothy\nFROM scratch\nCOPY --from=base / /\n')).to.deep.equal([])
  })

  it('are written behind the tags, replaced by newer ones, and removed', () => {
    const text = unpinned(read('docker-compose.yml'))
    const once = pinned(text, new Map([['caddy:2', DIGEST]]))
    expect(once).to.include(`    image: caddy:2@${DIGEST}\n`).and.include('    image: redis:7\n')
    const newer = DIGEST.replace('0123', 'ffff')
    expect(pinned(once, new Map([['caddy:2', newer]]))).to.equal(once.replace(DIGEST, newer))
    expect(unpinned(once)).to.equal(text)
    const stages = pinned(unpinned(read('infra/Dockerfile')), new Map([['node:24-bookworm-slim', DIGEST]]))
    expect(stages.match(/^FROM node:24-bookworm-slim@sha256:[0-9a-f]{64} AS \w+$/gm)).to.have.length(3)
  })

  it('come from the registry, as those of a list for all processors', async function () {
    this.timeout(20_000)
    const tool = await promisify(execFile)('docker', ['buildx', 'version']).catch(() => undefined)
    if (tool === undefined) {
      console.log('  (the registry is not asked: there is no docker buildx)')
      return this.skip()
    }
    const list = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.index.v1+json', manifests: [] }
    const single = { schemaVersion: 2, mediaType: 'application/vnd.oci.image.manifest.v1+json', layers: [] }
    const manifests: Record<string, object> = {
      '/v2/caddy/manifests/2': list,
      '/v2/caddy/manifests/1': single,
    }
    const sumOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
    const registry = createServer((req, res) => {
      const found = Object.entries(manifests).find(
        ([path, manifest]) => req.url === path || req.url?.endsWith(sumOf(JSON.stringify(manifest))),
      )
      if (!found) return void res.writeHead(req.url === '/v2/' ? 200 : 404).end()
      const body = JSON.stringify(found[1])
      res.writeHead(200, {
        'Content-Type': (found[1] as typeof list).mediaType,
        'Docker-Content-Digest': sumOf(body),
        'Content-Length': body.length,
      })
      res.end(req.method === 'HEAD' ? '' : body)
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    try {
      const at = `localhost:${(registry.address() as AddressInfo).port}`
      expect(await digestOf(`${at}/caddy:2`)).to.equal(sumOf(JSON.stringify(list)))
      const refusal = (image: string) => digestOf(image).catch(err => (err as Error).message)
      expect(await refusal(`${at}/caddy:1`)).to.include('one kind of processor only')
      expect(await refusal(`${at}/caddy:3`)).to.include('caddy:3')
    } finally {
      registry.closeAllConnections()
      registry.close()
    }
  })
})
