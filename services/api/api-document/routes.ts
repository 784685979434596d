import { content, type Endpoint, endpoint, nothing, page } from '../middleware/endpoint.ts'
import { originForOthers } from '../middleware/origin.ts'
import { sendValidated } from '../middleware/validated.ts'
import { sendPage } from '../pages/page.ts'
import { apiDocument } from './document.ts'
import type { ApiDocument } from './openapi.ts'
import { apiPage } from './page.ts'

type Endpoints = () => readonly Endpoint[]

let made: ApiDocument | undefined

/** The same for the life of the process. */
function documentOf(endpoints: Endpoints): ApiDocument {
  made ??= apiDocument(endpoints())
  return made
}

/** The interface as a document (interface 19.7). `endpoints` returns those of the whole server, these included. */
export const documentEndpoints = (endpoints: Endpoints): Endpoint[] => [
  endpoint(
    'GET /openapi.json',
    {
      summary: 'Gives this interface as an OpenAPI document.',
      who: 'anybody',
      within: 'anywhere',
      errors: 'text',
      answers: { 304: nothing, 200: content('application/json', 'an OpenAPI 3.1 document') },
    },
    ({ req, res }) => {
      sendValidated(req, res, documentOf(endpoints))
    },
  ),

  endpoint(
    'GET /api-docs',
    {
      summary: 'Shows this interface as a page, with lines for curl.',
      who: 'anybody',
      errors: 'text',
      answers: { 200: page },
    },
    ({ config, req, res }) => {
      const main = apiPage(documentOf(endpoints), originForOthers(req, config))
      sendPage(req, res, config, { title: 'API', main })
    },
  ),
]
