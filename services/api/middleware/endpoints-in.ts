import type { Application } from 'express'

/** The part of Express' layers that says which routes there are. */
interface Layer {
  route?: { path: unknown; methods: Record<string, boolean> }
  handle?: { stack?: Layer[] }
}

/** `GET /messages/:channel` for each route of an app, those of the client's files included. */
export const endpointsIn = (app: Application): string[] => [
  ...new Set(endpointsOf(app.router.stack as unknown as Layer[])),
]

const endpointsOf = (layers: Layer[]): string[] =>
  layers.flatMap(({ route, handle }) => [
    ...(typeof route?.path === 'string'
      ? Object.keys(route.methods).map(method => `${method.toUpperCase()} ${route.path}`)
      : []),
    ...endpointsOf(handle?.stack ?? []),
  ])
