// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './command.mjs'
import { CODE_FOLDERS } from './source-files.mjs'
import { runNode, tool } from './tools.mjs'

/**
 * @typedef {object} Violation
 * @property {string} from
 * @property {string} to
 * @property {{ name: string }} rule
 * @property {{ name: string }[]} [cycle]
 */
/**
 * @typedef {object} Cruise
 * @property {{ source: string, dependencies: { resolved: string }[] }[]} modules
 * @property {{ violations: Violation[], ruleSetUsed?: { forbidden?: Rule[] } }} summary
 */
/** @typedef {{ name?: string, comment?: string }} Rule */

/**
 * Holds the import rules against a tree of our layout.
 * @param {string} [root] the tree; its own tsconfig.base.json and manifests count
 * @returns {Promise<{ files: string[], violations: Violation[], output: string }>}
 */
export async function checkDependencies(root = ROOT) {
  const { modules, summary, failure } = await cruise(root)
  if (failure !== undefined) return { files: [], violations: [], output: failure }
  const comments = new Map(summary.ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment]))
  return {
    // The files it opened; the others are packages and Node's own modules.
    files: modules
      .map(({ source }) => source)
      .filter((source) => CODE_FOLDERS.some((folder) => source.startsWith(`${folder}/`))),
    violations: summary.violations,
    output: summary.violations.map((each) => describe(each, comments.get(each.rule.name))).join(''),
  }
}

/**
 * Every module of a tree of our layout with what it imports.
 * @param {string} [root]
 * @returns {Promise<Cruise & { failure?: string }>} `failure` is what the tool said when it could not
 */
export async function cruise(root = ROOT) {
  const folders = CODE_FOLDERS.filter((folder) => existsSync(join(root, folder)))
  const config = join(ROOT, '.dependency-cruiser.mjs')
  const args = ['--config', config, '--output-type', 'json', ...folders]
  const { code, output } = await runNode([tool('dependency-cruiser', 'depcruise'), ...args], {
    cwd: root,
  })
  if (code !== 0) return { modules: [], summary: { violations: [] }, failure: output }
  return JSON.parse(output)
}

/**
 * @param {Violation} violation
 * @param {string | undefined} comment
 */
function describe({ from, to, rule, cycle }, comment) {
  const path = cycle ? cycle.map(({ name }) => name).join(' → ') : to
  const where = from === path ? from : `${from} → ${path}`
  return `${rule.name}: ${where}\n${comment ? `  ${comment}\n` : ''}`
}
