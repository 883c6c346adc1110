import { type Holder, reaches, seesBuckets } from './access.ts'
import type { BucketsStore } from './buckets.store.ts'
import { cursorText, type ListCursor, pointOf, readCursor } from './list-cursor.ts'
import type { FileColumn, FilePoint, Folder, ListsStore, Order } from './lists.store.ts'
import { isFolderName, isPartOfName, lastName } from './names.ts'
import { folderJson, keyedJson, listedJson } from './object-json.ts'
import type { StoredObject } from './objects.store.ts'
import { StorageError } from './storage-error.ts'

type Sorted = { prefix: string; limit: number; column: FileColumn; order: Order }
export type ListQuery = Sorted & { search: string; offset: number }
export type ListV2Query = Sorted & { cursor: string | undefined; delimiter: boolean }

/** A page of folders, by the names they have in the folder they are in, and of objects. */
type Page = { parent: string; folders: string[]; files: StoredObject[]; next: ListCursor | null }

const nothing: Page = { parent: '', folders: [], files: [], next: null }

type Dependencies = { store: ListsStore; buckets: Pick<BucketsStore, 'find'> }

export type Lists = ReturnType<typeof createLists>

/** What is in buckets. For whoever has one folder it is as if there were no other. */
export function createLists({ store, buckets }: Dependencies) {
  /** @returns who lists; undefined for somebody who finds nothing wherever they look */
  async function lister(holder: Holder | undefined, bucket: string): Promise<Holder | undefined> {
    if (!seesBuckets(holder)) return undefined
    if (!(await buckets.find(bucket))) throw new StorageError('NoSuchBucket')
    return holder
  }

  /** Where all folders would be listed: the caller's own, if there is anything in it. */
  async function ownFolder({ folder: own }: Holder, folder: Folder): Promise<string[]> {
    if (own === null || folder.parent !== '') return []
    const { bucket, start, anyCase } = folder
    const begins = anyCase
      ? own.toLowerCase().startsWith(start.toLowerCase())
      : own.startsWith(start)
    return begins && (await store.has(bucket, `${own}/`)) ? [own] : []
  }

  async function foldersAndFiles(
    holder: Holder,
    folder: Folder,
    { column, order, limit }: Sorted,
    after: ListCursor | null,
  ): Promise<Page> {
    const { parent } = folder
    if (!reaches(holder, parent)) {
      return after ? nothing : { ...nothing, folders: await ownFolder(holder, folder) }
    }
    const point: FilePoint | null = after && 'name' in after ? after : null
    const last = after && 'folder' in after ? after.folder : null
    const found = point
      ? []
      : await store.folders(folder, { order, after: last, limit: limit + 1, offset: 0 })
    const folders = found.slice(0, limit)
    const lastFolder = folders.at(-1)
    if (lastFolder !== undefined && found.length > limit) {
      return { parent, folders, files: [], next: { folder: lastFolder } }
    }
    const room = limit - folders.length
    const page = { column, order, after: point, limit: room + 1, offset: 0 }
    const { files, next } = cut(await store.files(folder, page), room, column)
    const isFull = lastFolder !== undefined && files.length === 0 && next !== undefined
    return { parent, folders, files, next: isFull ? { folder: lastFolder } : (next ?? null) }
  }

  async function filesBelow(
    holder: Holder,
    bucket: string,
    { prefix, column, order, limit }: Sorted,
    after: ListCursor | null,
  ): Promise<Page> {
    const own = `${holder.folder}/`
    const start = holder.all || prefix.startsWith(own) ? prefix : own
    if (!start.startsWith(prefix) || (after && 'folder' in after)) return nothing
    const page = { column, order, after, limit: limit + 1, offset: 0 }
    const { files, next } = cut(await store.all(bucket, start, page), limit, column)
    return { ...nothing, files, next: next ?? null }
  }

  return {
    /** A folder: the folders in it, and then its files. */
    async list(caller: Holder | undefined, bucket: string, query: ListQuery) {
      const holder = await lister(caller, bucket)
      const { limit, offset, column, order, search: start } = query
      const folder = { bucket, parent: parentOf(query.prefix), start, anyCase: true }
      if (!holder || !isFolderName(folder.parent) || !isPartOfName(start)) return []
      if (!reaches(holder, folder.parent)) {
        const own = await ownFolder(holder, folder)
        return own.slice(offset, offset + limit).map(folderJson)
      }
      const folders = await store.folders(folder, { order, after: null, limit, offset })
      const room = limit - folders.length
      if (room === 0) return folders.map(folderJson)
      const isPast = offset > 0 && folders.length === 0
      const before = { order, after: null, limit: offset, offset: 0 }
      const passed = isPast ? offset - (await store.folders(folder, before)).length : 0
      const page = { column, order, after: null, limit: room, offset: passed }
      const files = await store.files(folder, page)
      return [
        ...folders.map(folderJson),
        ...files.map((file) => listedJson(file, lastName(file.name))),
      ]
    },

    /** All whose names begin so; with `delimiter` only those of one folder, and the folders in it. */
    async listV2(caller: Holder | undefined, bucket: string, query: ListV2Query) {
      const holder = await lister(caller, bucket)
      const { prefix, column, delimiter } = query
      const after = query.cursor === undefined ? null : readCursor(query.cursor, column)
      const isListed = holder && isPartOfName(prefix)
      const start = lastName(prefix)
      const parent = prefix.slice(0, prefix.length - start.length)
      const page = !isListed
        ? nothing
        : await (delimiter
            ? foldersAndFiles(holder, { bucket, parent, start, anyCase: false }, query, after)
            : filesBelow(holder, bucket, query, after))
      return {
        hasNext: page.next !== null,
        ...(page.next && { nextCursor: cursorText(page.next) }),
        folders: page.folders.map((name) => {
          const key = `${page.parent}${name}`
          return { key, name: `${key}/` }
        }),
        objects: page.files.map(keyedJson),
      }
    },
  }
}

/** So many of them, and where the next page begins if there are more. */
function cut(found: StoredObject[], most: number, column: FileColumn) {
  const files = found.slice(0, most)
  const last = files.at(-1) ?? found.at(0)
  return { files, next: last && found.length > most ? pointOf(last, column) : undefined }
}

/** Clients name a folder with a slash at its end, or without. */
function parentOf(prefix: string): string {
  const name = prefix.split('/').filter(Boolean).join('/')
  return name === '' ? '' : `${name}/`
}
