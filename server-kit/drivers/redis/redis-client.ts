import type { Redis } from 'ioredis';
import { objectWith } from '../../client/options/parse-options.ts';

/** A name of our own, because the class has other type parameters in other versions of ioredis. */
export interface RedisClient extends Redis {}

export const aRedisClient = objectWith<RedisClient>('defineCommand', 'must be an ioredis client');
