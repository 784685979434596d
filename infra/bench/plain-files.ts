/**
 * A minimal server of files, as a reference: pipes a request to disk and a file to a response.
 *
 *   PUT /<name>   stores the body          GET /<name>   sends it
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'

const folder = process.env['FOLDER']!

createServer(async (req, res) => {
  const path = join(folder, basename(req.url!))
  if (req.method === 'PUT') {
    await pipeline(req, createWriteStream(path))
    return void res.end('ok')
  }
  if (req.url === '/') return void res.end('ready')
  res.setHeader('Content-Length', (await stat(path)).size)
  await pipeline(createReadStream(path), res)
}).listen(Number(process.env['PORT']), '127.0.0.1')

process.once('SIGTERM', () => process.exit(0))
