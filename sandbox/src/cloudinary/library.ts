import { createHash, randomBytes } from 'node:crypto'
import type { Preset } from './authentication.ts'
import type { Form } from './form.ts'
import { Refusal } from './refusal.ts'
import { chosenFormat, type Format, measure, render, typeOf } from './rendering.ts'
import { parsePath } from './transformation.ts'

/** An uploaded picture, with its form fields. */
export type Upload = { name: string; fields: Record<string, string>; bytes: number }

type Picture = { file: Buffer; version: number; width: number; height: number; format: Format }

type Options = {
  /** The base of delivery URLs, `https://res.cloudinary.com/{cloud}`. */
  base: () => string
  presets: Record<string, Preset>
  now: () => number
}

/** The pictures of a cloud, with the derivatives that the CDN caches. */
export function createLibrary({ base, presets, now }: Options) {
  const pictures = new Map<string, Picture>()
  const derived = new Map<string, Promise<Buffer>>()
  const uploads: Upload[] = []
  let drawn = 0

  function nameOf({ folder = '', public_id, upload_preset = '' }: Record<string, string>): string {
    const prefix = presets[upload_preset]?.publicIdPrefix ?? folder
    const own = public_id ?? randomBytes(10).toString('hex')
    return prefix === '' ? own : `${prefix}/${own}`
  }

  return {
    uploads,
    drawn: () => drawn,
    isEmpty: () => pictures.size === 0 && derived.size === 0,

    async upload({ fields, file }: Form): Promise<object> {
      if (!file) throw new Refusal(400, 'Missing required parameter - file')
      const found = await measure(file)
      const name = nameOf(fields)
      const version = Math.floor(now() / 1000)
      pictures.set(name, { file, version, ...found })
      uploads.push({ name, fields, bytes: file.byteLength })
      const address = `${base()}/image/upload/v${version}/${name}.${found.format}`
      return {
        asset_id: randomBytes(16).toString('hex'),
        public_id: name,
        version,
        ...found,
        resource_type: 'image',
        created_at: new Date(now()).toISOString(),
        bytes: file.byteLength,
        type: 'upload',
        etag: createHash('md5').update(file).digest('hex'),
        url: address,
        secure_url: address,
      }
    },

    destroy({ public_id: name, invalidate }: Record<string, string>): object {
      if (name === undefined) throw new Refusal(400, 'Missing required parameter - public_id')
      if (!pictures.delete(name)) return { result: 'not found' }
      // Otherwise the CDN serves it for weeks.
      if (invalidate === 'true') {
        for (const key of derived.keys()) if (key.startsWith(`${name} `)) derived.delete(key)
      }
      return { result: 'ok' }
    },

    /** @param path the part after `/image/upload/` */
    async deliver(path: string, accept: string) {
      const asked = parsePath(path)
      const picture = pictures.get(asked.name)
      const format = chosenFormat(asked, accept, picture?.format ?? 'webp')
      const { transformation, name } = asked
      const key = `${name} ${JSON.stringify(transformation)} ${format}`
      const known = derived.get(key)
      if (known) return { bytes: await known, contentType: typeOf(format) }
      if (!picture) throw new Refusal(404, `Resource not found - ${name}`)
      const isItself = Object.keys(transformation).length === 0 && format === picture.format
      if (isItself) return { bytes: picture.file, contentType: typeOf(format) }
      drawn += 1
      const drawing = render(picture.file, transformation, format)
      derived.set(key, drawing)
      return { bytes: await drawing, contentType: typeOf(format) }
    },
  }
}
