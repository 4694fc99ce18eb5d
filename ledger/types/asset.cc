#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "ledger/types/uint256.h"

namespace tally {
namespace {

struct Asset {
  absl::string_view network;
  absl::string_view asset;  // lower case where case carries no meaning
  AssetInfo info;
};

// Source: Circle, "USDC contract addresses",
// developers.circle.com/stablecoins/usdc-contract-addresses. USDC has six decimals on each of them.
constexpr AssetInfo kUsdc = {"USDC", 6};
constexpr Asset kAssets[] = {
    // Ethereum, OP Mainnet, Polygon PoS, Base, Arbitrum One, Avalanche C-Chain.
    {"eip155:1", "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", kUsdc},
    {"eip155:10", "0x0b2c639c533813f4aa9d7837caf62653d097ff85", kUsdc},
    {"eip155:137", "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", kUsdc},
    {"eip155:8453", "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", kUsdc},
    {"eip155:42161", "0xaf88d065e77c8cc2239327c5edb3a432268e5831", kUsdc},
    {"eip155:43114", "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e", kUsdc},
    // Avalanche Fuji, Polygon Amoy, Base Sepolia, Arbitrum Sepolia, Ethereum Sepolia, OP Sepolia.
    {"eip155:43113", "0x5425890298aed601595a70ab815c96711a31bc65", kUsdc},
    {"eip155:80002", "0x41e94eb019c0762f9bfcf9fb1e58725bfb0e7582", kUsdc},
    {"eip155:84532", "0x036cbd53842c5426634e7929541ec2318f3dcf7e", kUsdc},
    {"eip155:421614", "0x75faf114eafb1bdbe2f0316df893fd58ce46aa4d", kUsdc},
    {"eip155:11155111", "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238", kUsdc},
    {"eip155:11155420", "0x5fd84259d66cd46123540766be93dfe6d43130d7", kUsdc},
    // Solana and its devnet.
    {"solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
     kUsdc},
    {"solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1", "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
     kUsdc},
};

}  // namespace

std::optional<AssetInfo> FindAsset(absl::string_view network, absl::string_view asset) {
  const bool is_evm = absl::StartsWith(network, "eip155:");
  for (const Asset& known : kAssets) {
    if (known.network != network) continue;
    if (is_evm ? absl::EqualsIgnoreCase(known.asset, asset) : known.asset == asset) {
      return known.info;
    }
  }
  return std::nullopt;
}

}  // namespace tally
