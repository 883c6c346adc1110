// @ts-check

/** Folders that must not know each other in a circle: those at the top of the server, and those of a feature. */
const ROOMS = [/^(server\/src)\/([^/]+)\//, /^((?:server|web)\/src\/features\/[^/]+)\/([^/]+)\//]
const TEST = /\.test\.tsx?$/

/**
 * Finds circles of rooms. What lies beside the rooms of a feature, such as its wiring, composes them and is none.
 * @param {{ source: string, dependencies: { resolved: string }[] }[]} modules as dependency-cruiser lists them
 * @returns {{ rooms: number, circles: string[] }} `rooms`: those that know others or are known; `circles`: the rooms that
 * are in a circle, or that know one
 */
export function circlesOfRooms(modules) {
  /** @type {Map<string, Set<string>>} */
  const known = new Map()
  for (const { source, dependencies } of modules) {
    if (TEST.test(source)) continue
    for (const pattern of ROOMS) {
      const [from, parent] = pattern.exec(source) ?? []
      if (from === undefined) continue
      for (const { resolved } of dependencies) {
        const [to, otherParent] = pattern.exec(resolved) ?? []
        if (to === undefined || to === from || otherParent !== parent) continue
        known.set(from, (known.get(from) ?? new Set()).add(to))
        known.set(to, known.get(to) ?? new Set())
      }
    }
  }
  const rooms = known.size
  // A room that knows none of those that are left is in no circle.
  for (let left = rooms + 1; known.size < left; ) {
    left = known.size
    for (const [room, others] of known) {
      if ([...others].every((other) => !known.has(other))) known.delete(room)
    }
  }
  return { rooms, circles: [...known.keys()].sort() }
}
