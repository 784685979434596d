import type { RequestHandler } from 'express'
import type * as v from 'valibot'
import type { Stores } from '#shared/stores/stores.ts'
import { fields, form, json } from './bodies.ts'

/** Reads the body of a request: `parsers` run first, then `schema` checks the fields. */
export interface BodyReader<Body> {
  types: readonly string[]
  parsers: (stores: Stores) => readonly RequestHandler[]
  schema: v.GenericSchema<unknown, Body>
  /** Field with the files of a form. */
  files?: string
  /** Refuses a body that is no object, by this name; otherwise it has no fields. */
  mustBeObject?: string
}

const FORM = ['application/x-www-form-urlencoded', 'multipart/form-data']

type Schema<Body> = v.GenericSchema<unknown, Body>
type Parser = (stores: Stores) => RequestHandler

const reader = <Body>(
  types: readonly string[],
  parsers: BodyReader<Body>['parsers'],
  schema: Schema<Body>,
): BodyReader<Body> => ({ types, parsers, schema })

export const jsonBody = <Body>(schema: Schema<Body>, parser: RequestHandler = json) =>
  reader(['application/json'], () => [parser], schema)

/** JSON, which must be an object. */
export const jsonObject = <Body>(schema: Schema<Body>, mustBeObject = 'the body') => ({
  ...jsonBody(schema),
  mustBeObject,
})

/** Fields of a form in either encoding, without files. */
export const formBody = <Body>(schema: Schema<Body>) => reader(FORM, () => [fields], schema)

/** JSON, or fields of a form. */
export const jsonOrFormBody = <Body>(schema: Schema<Body>) =>
  reader(['application/json', ...FORM], () => [json, fields], schema)

/** A multipart form with fields, and files in the field `files`, which `parser` stores. */
export const filesBody = <Body>(parser: Parser, files: string, schema: Schema<Body>) => ({
  ...reader(['multipart/form-data'], stores => [parser(stores)], schema),
  files,
})

/** JSON, or a multipart form with files and fields. */
export const jsonOrFilesBody = <Body>(parser: Parser, files: string, schema: Schema<Body>) => ({
  ...reader(['application/json', 'multipart/form-data'], stores => [json, parser(stores)], schema),
  files,
})

/** A form in either encoding, with files. */
export const formOrFilesBody = <Body>(parser: Parser, files: string, schema: Schema<Body>) => ({
  ...reader(FORM, stores => [form, parser(stores)], schema),
  files,
})

/** Bytes. */
export const rawBody = <Body>(schema: Schema<Body>, parser: RequestHandler) =>
  reader(['application/octet-stream'], () => [parser], schema)
