import type { RequestHandler } from 'express'
import type * as v from 'valibot'
import type { Stores } from '#shared/stores/stores.ts'
import { fields, form, json } from './bodies.ts'

/** Reads the body of a request: `parsers` run first, then `schema` checks the fields. */
export interface BodyReader<Body> {
  types: readonly string[]
  parsers: (stores: Stores) => readonly RequestHandler[]
  schema: v.GenericSchema<unknown, Body> | undefined
}

const FORM = ['application/x-www-form-urlencoded', 'multipart/form-data']

type Schema = v.GenericSchema | undefined
type FieldsOf<S extends Schema> = S extends v.GenericSchema ? v.InferOutput<S> : unknown

const reader = <S extends Schema>(
  types: readonly string[],
  parsers: BodyReader<unknown>['parsers'],
  schema: S,
): BodyReader<FieldsOf<S>> => ({ types, parsers, schema: schema as BodyReader<FieldsOf<S>>['schema'] })

export const jsonBody = <S extends Schema = undefined>(schema?: S, parser: RequestHandler = json) =>
  reader(['application/json'], () => [parser], schema as S)

/** Fields of a form in either encoding, without files. */
export const formBody = <S extends Schema = undefined>(schema?: S) =>
  reader(FORM, () => [fields], schema as S)

/** JSON, or fields of a form. */
export const jsonOrFormBody = <S extends Schema = undefined>(schema?: S) =>
  reader(['application/json', ...FORM], () => [json, fields], schema as S)

/** A multipart form with files, which `parser` stores. */
export const filesBody = <S extends Schema = undefined>(
  parser: (stores: Stores) => RequestHandler,
  schema?: S,
) => reader(['multipart/form-data'], stores => [parser(stores)], schema as S)

/** A form in either encoding, with files. */
export const formOrFilesBody = <S extends Schema = undefined>(
  parser: (stores: Stores) => RequestHandler,
  schema?: S,
) => reader(FORM, stores => [form, parser(stores)], schema as S)

/** Bytes. */
export const rawBody = (parser: RequestHandler) =>
  reader(['application/octet-stream'], () => [parser], undefined)
