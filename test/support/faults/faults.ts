import type { FaultyCloud } from './cloud.ts';
import type { Kind } from './record.ts';

/** The statuses of requests that fail, by what they are for. */
type Refusals = Readonly<Partial<{ [kind in Kind]: readonly number[] }>>;

export interface Fault {
  readonly name: string;
  /** All other requests succeed. */
  readonly refusals: Refusals;
  /** Injects the fault. @returns a function that ends it */
  start(cloud: FaultyCloud): () => void;
}

const KILL_MS = 700;
const KILLED = ['DeploymentsApi', 'GenerationApi', 'GenerationAttempt', 'DeploymentsSite', 'AssetsApi'];

export const FAULTS: readonly Fault[] = [
  {
    name: 'DynamoDB throttles',
    refusals: {
      deploy: [502],
      'new deploy': [502],
      settings: [502],
      read: [502],
      visit: [503],
      generate: [503],
      'generate async': [503],
      asset: [503],
    },
    start: ({ failing }) => {
      failing.dynamoDb = true;
      return () => {
        failing.dynamoDb = false;
      };
    },
  },
  {
    name: 'S3 fails',
    refusals: {
      deploy: [502],
      'new deploy': [502],
      visit: [503],
      generate: [503],
      asset: [503],
      upload: [500],
      read: [502],
    },
    start: ({ failing }) => {
      failing.s3 = 'fails';
      return () => {
        failing.s3 = 'works';
      };
    },
  },
  {
    name: 'S3 takes a second',
    refusals: { visit: [503] },
    start: ({ failing }) => {
      failing.s3 = 'is slow';
      return () => {
        failing.s3 = 'works';
      };
    },
  },
  {
    name: 'Step Functions refuses',
    refusals: { generate: [503], 'generate async': [503] },
    start: ({ failing }) => {
      failing.stepFunctions = true;
      return () => {
        failing.stepFunctions = false;
      };
    },
  },
  {
    name: 'a provider fails every other time',
    refusals: {},
    start: ({ failing }) => {
      failing.provider = true;
      return () => {
        failing.provider = false;
      };
    },
  },
  {
    name: 'functions are killed',
    refusals: {
      deploy: [503],
      'new deploy': [503],
      settings: [503],
      read: [503],
      visit: [502, 503],
      // Their responses are streams, which can break off.
      generate: [0, 503],
      'generate async': [0, 503],
      asset: [503],
    },
    start: ({ crash }) => {
      const timer = setInterval(() => void Promise.all(KILLED.map(crash)), KILL_MS);
      return () => clearInterval(timer);
    },
  },
  {
    name: 'the deploy function has no concurrency',
    refusals: { deploy: [503], 'new deploy': [503], settings: [503], read: [503] },
    start: ({ throttle }) => throttle('DeploymentsApi'),
  },
];
