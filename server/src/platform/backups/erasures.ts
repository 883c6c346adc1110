import { z } from 'zod'
import type { BackupStore } from './backup-store.ts'

const PREFIX = 'erasures/'

/** A pharmacy that was purged. Beside the back-ups, because an older one does not know it. */
const Erasure = z.object({ pharmacyId: z.uuid(), erasedAt: z.iso.datetime({ offset: true }) })
export type Erasure = z.infer<typeof Erasure>

/** Can be repeated. */
export async function writeErasure(store: BackupStore, erasure: Erasure): Promise<void> {
  await store.write(PREFIX + erasure.pharmacyId, [Buffer.from(JSON.stringify(erasure))])
}

export async function readErasures(store: BackupStore): Promise<Erasure[]> {
  const names = await store.list(PREFIX)
  const erasures: Erasure[] = []
  for (const name of names.keys()) {
    const json: unknown = JSON.parse((await store.readAll(name)).toString())
    erasures.push(Erasure.parse(json))
  }
  return erasures
}

/** Removes erasures from before the oldest back-up, which no back-up can undo. */
export async function removeErasures(store: BackupStore, before: number): Promise<void> {
  for (const stored of (await store.list(PREFIX)).values()) {
    if (stored.modifiedAt < before) await store.remove(stored)
  }
}
