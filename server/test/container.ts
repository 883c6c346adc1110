import { spawnSync } from 'node:child_process'
import { runsAsRoot } from '../src/database/embedded/account.ts'

const namespaces = ['--pid', '--fork', '--kill-child', '--mount', '--mount-proc']

/** A command that runs the one after it as process 1 of a container: what is left in it ends with that process. */
export const container = ['unshare', ...namespaces, ...(runsAsRoot ? [] : ['--map-root-user'])]

/** Whether this machine lets its user make containers, and mount in them. */
export const canContain = spawnSync('unshare', [...container.slice(1), 'true']).status === 0
