/**
 * A minimal event stream server, as a reference: every connection gets every posted frame.
 *
 *   GET /events   a stream          POST /frames   sends its body to every stream
 */
import { createServer, type ServerResponse } from 'node:http'

const streams = new Set<ServerResponse>()

createServer((req, res) => {
  if (req.url?.startsWith('/events')) {
    res.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' })
    res.write('retry: 3000\n\n')
    streams.add(res)
    res.once('close', () => streams.delete(res))
    return
  }
  if (req.method !== 'POST') return res.end('ready')
  let frame = ''
  req.setEncoding('utf8')
  req.on('data', text => {
    frame += text
  })
  req.on('end', () => {
    for (const stream of streams) stream.write(frame)
    res.end()
  })
}).listen(Number(process.env['PORT']), '127.0.0.1')

process.once('SIGTERM', () => process.exit(0))
