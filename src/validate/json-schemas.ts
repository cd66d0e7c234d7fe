import * as z from 'zod';
import { claimSchema } from './kinds/claim.ts';
import { clusterSchema, nodePoolSchema } from './kinds/cluster.ts';
import { installationSchema } from './kinds/installation.ts';
import { recordSchema } from './kinds/record.ts';
import { settingsSchema } from './kinds/settings.ts';
import { shutdownSchema } from './kinds/shutdown.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** Draft 7 is what editors understand: the YAML language server, and JetBrains. */
const draft = 'http://json-schema.org/draft-07/schema#';

/** For editors, by file name. They complete and describe; `validate` decides. */
export function jsonSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    'settings.schema.json': titled('Settings', settingsSchema),
    'vclusterclaim.schema.json': titled('VClusterClaim', claimSchema),
    'cluster.schema.json': clusterDocuments(),
    'installation.schema.json': titled('Installation', installationSchema),
    'clustershutdown.schema.json': titled('ClusterShutdown', shutdownSchema),
    'record.schema.json': titled('Record', recordSchema),
  };
}

function titled(title: string, schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
  return { $schema: draft, title: `Quiesce ${title}`, ...rest };
}

/**
 * A cluster config holds documents of several kinds, and editors hold each against this one schema. Conditions name the
 * fault of the document at hand; a list of alternatives would only say that none fits.
 */
function clusterDocuments(): JsonSchema {
  const forKind = (kind: string, schema: z.ZodType): JsonSchema => {
    const { $schema: _, ...then } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input' });
    return { if: { type: 'object', properties: { kind: { const: kind } }, required: ['kind'] }, then };
  };
  return {
    $schema: draft,
    title: 'Bare-metal cluster config, as Quiesce reads it',
    allOf: [forKind('Cluster', clusterSchema), forKind('NodePool', nodePoolSchema)],
  };
}
