import type { BucketsStore } from './buckets.store.ts'
import type { FileColumn, FilePosition, Folder, ListsStore, Order } from './lists.store.ts'
import { baseName, isFolderName, isPartOfName } from './names.ts'
import {
  folderJson,
  keyedJson,
  type ListCursor,
  listedJson,
  parseCursor,
  positionOf,
  serializeCursor,
} from './object-json.ts'
import type { StoredObject } from './objects.store.ts'
import { canAccess, canListBuckets, type Principal } from './principals.ts'
import { StorageError } from './storage-error.ts'

type Sorted = { prefix: string; limit: number; column: FileColumn; order: Order }
export type ListQuery = Sorted & { search: string; offset: number }
export type ListV2Query = Sorted & { cursor: string | undefined; delimiter: boolean }

/** A page of folders, named relative to their parent, and of objects. */
type Page = { parent: string; folders: string[]; files: StoredObject[]; next: ListCursor | null }

const nothing: Page = { parent: '', folders: [], files: [], next: null }

type Dependencies = { store: ListsStore; buckets: Pick<BucketsStore, 'find'> }

/** Lists of objects and folders. A caller with one folder sees no others. */
export function createLists({ store, buckets }: Dependencies) {
  /** @returns the caller; undefined when the caller may list nothing */
  async function authorizeListing(
    principal: Principal | undefined,
    bucket: string,
  ): Promise<Principal | undefined> {
    if (!canListBuckets(principal)) return undefined
    if (!(await buckets.find(bucket))) throw new StorageError('NoSuchBucket')
    return principal
  }

  /** The folders that a caller sees at the top level: their own, unless it is empty. */
  async function ownFolder({ folder: own }: Principal, folder: Folder): Promise<string[]> {
    if (own === null || folder.parent !== '') return []
    const { bucket, start, ignoreCase } = folder
    const begins = ignoreCase
      ? own.toLowerCase().startsWith(start.toLowerCase())
      : own.startsWith(start)
    return begins && (await store.has(bucket, `${own}/`)) ? [own] : []
  }

  async function foldersAndFiles(
    principal: Principal,
    folder: Folder,
    { column, order, limit }: Sorted,
    after: ListCursor | null,
  ): Promise<Page> {
    const { parent } = folder
    if (!canAccess(principal, parent)) {
      return after ? nothing : { ...nothing, folders: await ownFolder(principal, folder) }
    }
    const position: FilePosition | null = after && 'name' in after ? after : null
    const last = after && 'folder' in after ? after.folder : null
    const found = position
      ? []
      : await store.folders(folder, { order, after: last, limit: limit + 1, offset: 0 })
    const folders = found.slice(0, limit)
    const lastFolder = folders.at(-1)
    if (lastFolder !== undefined && found.length > limit) {
      return { parent, folders, files: [], next: { folder: lastFolder } }
    }
    const room = limit - folders.length
    const page = { column, order, after: position, limit: room + 1, offset: 0 }
    const { files, next } = cut(await store.files(folder, page), room, column)
    const isFull = lastFolder !== undefined && files.length === 0 && next !== undefined
    return { parent, folders, files, next: isFull ? { folder: lastFolder } : (next ?? null) }
  }

  async function filesBelow(
    principal: Principal,
    bucket: string,
    { prefix, column, order, limit }: Sorted,
    after: ListCursor | null,
  ): Promise<Page> {
    const own = `${principal.folder}/`
    const start = principal.isAdmin || prefix.startsWith(own) ? prefix : own
    if (!start.startsWith(prefix) || (after && 'folder' in after)) return nothing
    const page = { column, order, after, limit: limit + 1, offset: 0 }
    const { files, next } = cut(await store.all(bucket, start, page), limit, column)
    return { ...nothing, files, next: next ?? null }
  }

  return {
    /** Lists a folder: its subfolders first, then its files. */
    async list(caller: Principal | undefined, bucket: string, query: ListQuery) {
      const principal = await authorizeListing(caller, bucket)
      const { limit, offset, column, order, search: start } = query
      const folder = { bucket, parent: parentOf(query.prefix), start, ignoreCase: true }
      if (!principal || !isFolderName(folder.parent) || !isPartOfName(start)) return []
      if (!canAccess(principal, folder.parent)) {
        const own = await ownFolder(principal, folder)
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
        ...files.map((file) => listedJson(file, baseName(file.name))),
      ]
    },

    /** Lists the objects with a prefix; with `delimiter` one folder and its subfolders only. */
    async listV2(caller: Principal | undefined, bucket: string, query: ListV2Query) {
      const principal = await authorizeListing(caller, bucket)
      const { prefix, column, delimiter } = query
      const after = query.cursor === undefined ? null : parseCursor(query.cursor, column)
      const isListed = principal && isPartOfName(prefix)
      const start = baseName(prefix)
      const parent = prefix.slice(0, prefix.length - start.length)
      const page = !isListed
        ? nothing
        : await (delimiter
            ? foldersAndFiles(principal, { bucket, parent, start, ignoreCase: false }, query, after)
            : filesBelow(principal, bucket, query, after))
      return {
        hasNext: page.next !== null,
        ...(page.next && { nextCursor: serializeCursor(page.next) }),
        folders: page.folders.map((name) => {
          const key = `${page.parent}${name}`
          return { key, name: `${key}/` }
        }),
        objects: page.files.map(keyedJson),
      }
    },
  }
}

/** Cuts a page off, and finds the position of the next one, if there is one. */
function cut(found: StoredObject[], most: number, column: FileColumn) {
  const files = found.slice(0, most)
  const last = files.at(-1) ?? found.at(0)
  return { files, next: last && found.length > most ? positionOf(last, column) : undefined }
}

/** Clients end a folder with a slash, or do not. */
function parentOf(prefix: string): string {
  const name = prefix.split('/').filter(Boolean).join('/')
  return name === '' ? '' : `${name}/`
}
