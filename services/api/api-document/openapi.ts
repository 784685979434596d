import type { JsonSchema } from './json-schema.ts'

/** An operation of OpenAPI 3.1. */
export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: Record<string, readonly string[]>[]
  parameters?: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, object>
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description?: string
  schema: JsonSchema
}

export interface RequestBody {
  /** By media type. */
  content: Record<string, { schema: JsonSchema }>
  required?: boolean
}

export interface ApiDocument {
  openapi: string
  info: object
  servers: object[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, object>
    responses: object
    securitySchemes: object
  }
}
