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
/** @typedef {{ name?: string, comment?: string }} Rule */
/** @typedef {{ violations: Violation[], ruleSetUsed?: { forbidden?: Rule[] } }} Summary */
/** @typedef {{ source: string, dependencies: { resolved: string }[] }} Module */
/** @typedef {{ modules: Module[], summary: Summary }} Cruise */

/**
 * Holds the import rules against a tree of our layout.
 * @param {string} [root] the tree; its own tsconfig.base.json and manifests count
 * @returns {Promise<{ files: string[], modules: Module[], violations: Violation[], output: string }>}
 */
export async function checkDependencies(root = ROOT) {
  const folders = CODE_FOLDERS.filter((folder) => existsSync(join(root, folder)))
  const config = join(ROOT, '.dependency-cruiser.mjs')
  const args = ['--config', config, '--output-type', 'json', ...folders]
  const { code, output } = await runNode([tool('dependency-cruiser', 'depcruise'), ...args], {
    cwd: root,
  })
  if (code !== 0) return { files: [], modules: [], violations: [], output }
  /** @type {Cruise} */
  const { modules, summary } = JSON.parse(output)
  const comments = new Map(summary.ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment]))
  return {
    // The files it opened; the others are packages and Node's own modules.
    files: modules
      .map(({ source }) => source)
      .filter((source) => CODE_FOLDERS.some((folder) => source.startsWith(`${folder}/`))),
    modules,
    violations: summary.violations,
    output: summary.violations.map((each) => describe(each, comments.get(each.rule.name))).join(''),
  }
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
