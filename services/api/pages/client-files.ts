import { join } from 'node:path'
import express, { Router } from 'express'
import { ROOT } from '#shared/kernel/config.ts'

const DIST = join(ROOT, 'web/dist')
const plain = { index: false, redirect: false } as const

/** What the client's page loads, and what a browser needs to install it: no session, and nothing that anybody may not see. */
export function clientFileRoutes(): Router {
  const routes = Router()
  // Their names change with their content.
  routes.use('/assets', express.static(join(DIST, 'assets'), { ...plain, immutable: true, maxAge: '1y' }))
  routes.use('/icons', express.static(join(DIST, 'icons'), { ...plain, maxAge: '1d' }))
  for (const file of ['manifest.webmanifest', 'sw.js']) {
    // Of an old service worker nobody would ever be rid again.
    routes.get(`/${file}`, (_req, res, next) => {
      res.sendFile(
        file,
        { root: DIST, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } },
        err => {
          if (err) next()
        },
      )
    })
  }
  return routes
}
